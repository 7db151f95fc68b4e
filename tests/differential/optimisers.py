"""Independent solvers that find the best solutions of a model, where there are too many to list."""

import importlib
from collections.abc import Iterator
from math import inf
from typing import Any

from tests.differential.model import Chosen, Model
from tests.differential.oracles import chosen_in, clauses, exclusion


def cp_sat(model: Model) -> Iterator[Chosen]:
    """OR-tools' CP-SAT with one worker: the best solutions first, each excluded by a clause."""
    cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    stated = cp_model.CpModel()
    chosen = {option: stated.new_bool_var("") for option in model.candidates}
    variables = list(chosen.values())
    for users, least, most in model.limits():
        greatest = len(users) if most == inf else int(most)
        stated.add_linear_constraint(sum(chosen[option] for option in users), least, greatest)
    for one, two in model.exclusions():
        stated.add_at_most_one(chosen[one], chosen[two])
    stated.maximize(sum(model.values[option] * each for option, each in chosen.items()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    while (status := solver.solve(stated)) == cp_model.OPTIMAL:
        literals = [k for k, each in enumerate(variables, 1) if solver.value(each)]
        found = chosen_in(model, literals)
        yield found
        stated.add_bool_or(
            variables[k - 1] if k > 0 else variables[-k - 1].negated()
            for k in exclusion(model, found)
        )
    if status != cp_model.INFEASIBLE:
        raise RuntimeError(f"CP-SAT ended with {solver.status_name(status)}")


def max_sat(model: Model) -> Iterator[Chosen]:
    """RC2 by `python-sat`, which adds Python's integers: the best solutions first."""
    formula: Any = importlib.import_module("pysat.formula").WCNF()
    rc2: Any = importlib.import_module("pysat.examples.rc2")
    formula.extend(clauses(model))
    for k, option in enumerate(model.candidates, start=1):
        if value := model.values[option]:
            formula.append([k if value > 0 else -k], weight=abs(value))
    with rc2.RC2(formula) as solver:
        while (literals := solver.compute()) is not None:
            found = chosen_in(model, literals)
            yield found
            solver.add_clause(exclusion(model, found))

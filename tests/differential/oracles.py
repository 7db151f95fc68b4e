"""Independent solvers that list the solutions of a model, each by its own interface."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

import numpy as np

from tests.differential.model import Chosen, Model

#: yields the solutions of a model, each once
Oracle = Callable[[Model], Iterator[Chosen]]
#: a problem with more solutions is left out
MOST = 400


def brute_force(model: Model) -> Iterator[Chosen]:
    """Try every set of candidates, without those that cover an item too often."""
    limits = [(set(users), most) for users, _, most in model.limits()]

    def extended(chosen: Chosen, at: int) -> Iterator[Chosen]:
        if any(len(users & chosen) > most for users, most in limits):
            return
        if at < len(model.candidates):
            yield from extended(chosen, at + 1)
            yield from extended(chosen | {model.candidates[at]}, at + 1)
        elif model.is_solution(chosen):
            yield chosen

    return extended(frozenset(), 0)


def exact_cover(model: Model) -> Iterator[Chosen]:
    """The package `exact_cover`: dancing links in C, for exact covers without colours."""
    package: Any = importlib.import_module("exact_cover")
    slack = [item for item, (least, _) in enumerate(model.bounds) if least == 0]
    rows = [model.options[option] for option in model.candidates] + [[item] for item in slack]
    matrix = np.zeros((1 + len(rows), len(model.bounds)), bool)  # row 0 is lost in some covers
    for row, items in enumerate(rows, start=1):
        matrix[row, list(items)] = True
    if not rows or not matrix.any(axis=0).all():  # the package refuses these
        yield from _empty(model)
        return
    with suppress(package.error.NoSolution):
        for found in package.get_all_solutions(matrix, max_count=MOST + 1):
            used = (row - 1 for row in found if row <= len(model.candidates))
            yield frozenset(model.candidates[row] for row in used)


def xcover(model: Model) -> Iterator[Chosen]:
    """The package `xcover`: dancing cells in numba, for exact covers."""
    if len(model.users()) < 2:  # the package refuses these
        yield from brute_force(model)
        return
    package: Any = importlib.import_module("xcover")

    def name(option: int, item: int) -> str:
        colour = model.colours.get((option, item))
        return f"{item}" if colour is None else f"{item}:{colour}"

    options = [[name(k, item) for item in model.options[k]] for k in model.candidates]
    primary, secondary = (
        [f"{item}" for item, (least, _) in enumerate(model.bounds) if least == kind]
        for kind in (1, 0)
    )
    for rows in package.covers(options, primary, secondary, colored=bool(model.colours)):
        yield frozenset(model.candidates[row] for row in rows)


def _empty(model: Model) -> Iterator[Chosen]:
    """Yield the empty set if it is a solution."""
    if model.is_solution(frozenset()):
        yield frozenset()


def sat(model: Model) -> Iterator[Chosen]:
    """CaDiCaL by `python-sat`: each solution found is excluded by a clause."""
    solvers: Any = importlib.import_module("pysat.solvers")
    with solvers.Solver("cadical153", bootstrap_with=clauses(model)) as solver:
        while solver.solve():
            chosen = chosen_in(model, solver.get_model())
            solver.add_clause(exclusion(model, chosen))
            if -model.value(chosen) <= model.cost_limit:
                yield chosen


def chosen_in(model: Model, literals: Sequence[int]) -> Chosen:
    """Return the options that are true, without superfluous ones if there must be none."""
    true = set(literals)
    chosen = frozenset(option for k, option in enumerate(model.candidates, 1) if k in true)
    return model.without_superfluous(chosen) if model.minimal else chosen


def exclusion(model: Model, found: Chosen) -> list[int]:
    """Return the clause of all solutions but this one, and but those that contain it if minimal."""
    return [
        -k if option in found else k
        for k, option in enumerate(model.candidates, start=1)
        if option in found or not model.minimal
    ]


def clauses(model: Model) -> list[list[int]]:
    """Return a model in conjunctive normal form; variable k is the candidate k - 1."""
    cards: Any = importlib.import_module("pysat.card")
    variables = {option: k for k, option in enumerate(model.candidates, start=1)}
    top = max(variables.values(), default=0)
    found = [[-variables[one], -variables[two]] for one, two in model.exclusions()]
    for users, least, most in model.limits():
        literals = [variables[option] for option in users]
        if least > len(literals):
            return [[1], [-1]]
        if least == 1:
            found.append(literals)
        elif least > 1:
            encoded = cards.CardEnc.atleast(literals, least, top_id=top)
            top = max(top, encoded.nv)
            found += encoded.clauses
        if most == 1:
            found += [[-one, -two] for one, two in combinations(literals, 2)]
        elif most < len(literals):
            encoded = cards.CardEnc.atmost(literals, int(most), top_id=top)
            top = max(top, encoded.nv)
            found += encoded.clauses
    return found

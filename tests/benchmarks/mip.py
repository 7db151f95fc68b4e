"""The cheapest cover by OR-tools' CP-SAT, HiGHS and SCIP, one thread each.

They solve a problem whose items have a least and a greatest number of times.
"""

import importlib
import math
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

from worker.compiling.numbers import Integers
from worker.exact_cover.problem import Problem


class Proof(NamedTuple):
    """What a solver brought within the time limit."""

    cost: int | None  #: of its best cover
    proven: bool  #: it is the cheapest; or there is none
    seconds: float  #: CPU time, without building the model
    nodes: int = 0
    bound: float | None = None  #: no cover costs less

    def __str__(self) -> str:
        if self.proven:
            return f"{self.seconds:.4f}" if self.seconds < 1 else f"{self.seconds:.2f}"
        return f"> {self.seconds:.0f} ({'none' if self.cost is None else self.cost})"


#: problem, least and greatest number of each item, time limit in seconds
Solver = Callable[[Problem, Integers, Integers, float], Proof]


def installed() -> dict[str, Solver]:
    """Return the solvers that are installed."""
    others: tuple[tuple[str, str, Solver], ...] = (
        ("CP-SAT", "ortools", _cp_sat),
        ("HiGHS", "highspy", _highs_in_a_process),
        ("SCIP", "pyscipopt", _scip),
    )
    return {name: solve for name, package, solve in others if find_spec(package)}


def _cp_sat(problem: Problem, least: Integers, most: Integers, limit: float) -> Proof:
    """CP-SAT with one worker and its setting for problems with a tight linear relaxation."""
    cp_model: Any = importlib.import_module("ortools.sat.python.cp_model")
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in problem.cost]
    for item, those in enumerate(_options(problem), start=1):
        if least[item] > those.size:
            model.add_bool_or([])  # no cover has this item as often as it must
        elif least[item] == 1 <= most[item] == those.size:
            model.add_bool_or([chosen[k] for k in those.tolist()])
        elif least[item] == most[item] == 1:
            model.add_exactly_one([chosen[k] for k in those.tolist()])
        elif those.size:
            times = sum(chosen[k] for k in those.tolist())
            model.add_linear_constraint(times, int(least[item]), int(most[item]))
    model.minimize(sum(int(cost) * one for cost, one in zip(problem.cost, chosen, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.max_time_in_seconds = limit
    began = time.process_time()
    status = solver.solve(model)
    seconds = time.process_time() - began
    proven = status in {cp_model.OPTIMAL, cp_model.INFEASIBLE}
    found = status in {cp_model.OPTIMAL, cp_model.FEASIBLE}
    cost = round(solver.objective_value) if found else None
    return Proof(cost, proven, seconds, bound=solver.best_objective_bound)


def _options(problem: Problem) -> list[Integers]:
    """Return the options of each item."""
    order = np.argsort(problem.members, kind="stable")
    sizes = np.bincount(problem.members, minlength=problem.items + 1)
    return np.split(problem.option_of_member[order], np.cumsum(sizes)[1:-1])


def _highs_in_a_process(problem: Problem, least: Integers, most: Integers, limit: float) -> Proof:
    """HiGHS in a process of its own, because OR-tools has another version of its library."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(_highs, problem, least, most, limit).result()


def _highs(problem: Problem, least: Integers, most: Integers, limit: float) -> Proof:
    highspy: Any = importlib.import_module("highspy")
    solver, model, options = highspy.Highs(), highspy.HighsLp(), problem.cost.size
    for setting, value in (
        ("output_flag", False),
        ("threads", 1),
        ("time_limit", limit),
        ("mip_rel_gap", 0.0),
    ):
        solver.setOptionValue(setting, value)
    model.num_col_, model.num_row_ = options, problem.items
    model.col_cost_ = problem.cost.astype(float)
    model.col_lower_, model.col_upper_ = np.zeros(options), np.ones(options)
    # An item of too few options may be covered less often than it must; bounds must not cross.
    model.row_lower_ = least[1:].astype(float)
    model.row_upper_ = np.maximum(least, most)[1:].astype(float)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = problem.first.astype(np.int32)
    model.a_matrix_.index_ = (problem.members - np.uint32(1)).astype(np.int32)
    model.a_matrix_.value_ = np.ones(problem.members.size)
    model.integrality_ = [highspy.HighsVarType.kInteger] * options
    solver.passModel(model)
    began = time.process_time()
    solver.run()
    seconds = time.process_time() - began
    ends, status = highspy.HighsModelStatus, solver.getModelStatus()
    info = solver.getInfo()
    cost, bound = info.objective_function_value, info.mip_dual_bound
    found = status != ends.kInfeasible and math.isfinite(cost)
    proven = status in {ends.kOptimal, ends.kInfeasible}
    return Proof(round(cost) if found else None, proven, seconds, bound=bound)


def _scip(problem: Problem, least: Integers, most: Integers, limit: float) -> Proof:
    scip: Any = importlib.import_module("pyscipopt")
    model = scip.Model()
    model.hideOutput()
    model.setParam("limits/time", limit)
    chosen = [model.addVar(vtype="B", obj=float(cost)) for cost in problem.cost]
    zero = model.addVar(ub=0.0)  # an item may have no option
    for item, those in enumerate(_options(problem), start=1):
        times = scip.quicksum([zero, *(chosen[k] for k in those.tolist())])
        model.addCons(times >= int(least[item]))
        model.addCons(times <= int(max(least[item], most[item])))
    began = time.process_time()
    model.optimize()
    seconds = time.process_time() - began
    cost = round(model.getObjVal()) if model.getNSols() else None
    proven = model.getStatus() in {"optimal", "infeasible"}
    return Proof(cost, proven, seconds, bound=model.getDualbound())

"""The best target score, proven: against OR-tools' CP-SAT, and against plain counting."""

import importlib
import math
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks import ours
from tests.benchmarks.collections import collections, table
from tests.benchmarks.race import Disagreement
from worker.puzzles.options import Options
from worker.puzzles.target import rings

RINGS = tuple(rings(9).tolist())
#: puzzles of a set that have few completions each
PUZZLES = 300


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Milliseconds to the proven optimum of each grid, then what plain puzzles pay."""
    grids = [row["puzzle"] for row in table(data, "target-known-best.csv")]
    if grids and _cp_sat() is None:
        yield "OR-tools is not installed: the best scores are not compared."
    elif grids:
        _check_known(table(data, "target-known-best.csv"))
        yield from _against_cp_sat("ring weights", grids, [RINGS] * len(grids), rounds)
        chance = random.Random(7)
        weights = [tuple(chance.randint(1, 99) for _ in range(81)) for _ in grids]
        yield from _against_cp_sat("random weights", grids, weights, rounds)
    for name, puzzles in collections(data, PUZZLES):
        ratio = statistics.median(_priced(puzzles) for _ in range(rounds))
        yield f"{name}: {ratio:.2f} times as long with a target as counting alone."


def _check_known(grids: Sequence[dict[str, str]]) -> None:
    """The best scores that the file tells, against ours."""
    for known in grids:
        score, _ = _ours(known["puzzle"], RINGS)
        if score != int(known["best_score"]):
            raise Disagreement(f"{known['puzzle']}: {known['best_score']} is known, ours {score}")


def _against_cp_sat(
    name: str, grids: Sequence[str], weights: Sequence[tuple[int, ...]], rounds: int
) -> Iterator[str]:
    yield f"| target, {name} | best | ms | CP-SAT ms | CP-SAT takes |"
    yield "|---|---|---|---|---|"
    ratios = []
    for number, (grid, weight) in enumerate(zip(grids, weights, strict=True), start=1):
        turns = [(_ours(grid, weight), _theirs(grid, weight)) for _ in range(rounds)]
        mine, theirs = zip(*turns, strict=True)
        scores = {score for score, _ in mine + theirs}
        if len(scores) > 1:
            raise Disagreement(f"best scores of {grid}: {scores}")
        (score,) = scores
        ms, their_ms = (statistics.median(took for _, took in all_) for all_ in (mine, theirs))
        ratios.append(their_ms / ms)
        yield f"| {number} | {score} | {ms:.2f} | {their_ms:.1f} | {ratios[-1]:.1f} x |"
    mean = math.exp(statistics.mean(map(math.log, ratios)))
    yield f"| geometric mean | | | | {mean:.1f} x (least {min(ratios):.1f}) |"
    yield ""


def _ours(grid: str, weights: tuple[int, ...]) -> tuple[int | None, float]:
    """Score and milliseconds of the whole call."""
    began = time.thread_time()
    (outcome,) = ours.outcomes([grid], Options(target=True, weights=weights, timeout=ours.EVER))
    took = time.thread_time() - began
    assert outcome.complete
    return outcome.kept[0].score, took * 1e3


def _theirs(grid: str, weights: tuple[int, ...]) -> tuple[int, float]:
    """Score and milliseconds of the solver alone, its model not counted."""
    cp_model = _cp_sat()
    model = _model(cp_model, grid, weights)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    began = time.thread_time()  # a lone worker searches in the thread that calls
    status = solver.solve(model)
    took = time.thread_time() - began
    assert status == cp_model.OPTIMAL
    return round(solver.objective_value), took * 1e3


def _model(cp_model: Any, grid: str, weights: tuple[int, ...]) -> Any:
    model = cp_model.CpModel()
    stands = [[model.new_bool_var("") for _ in range(9)] for _ in range(81)]
    for cell, symbols in enumerate(stands):
        model.add_exactly_one(symbols)
        if grid[cell] in "123456789":
            model.add(symbols[int(grid[cell]) - 1] == 1)
    for symbol in range(9):
        for unit in _units():
            model.add_exactly_one(stands[cell][symbol] for cell in unit)
    model.maximize(sum(weights[c] * (s + 1) * stands[c][s] for c in range(81) for s in range(9)))
    return model


def _units() -> Iterator[list[int]]:
    """Rows, columns and boxes."""
    for k in range(9):
        yield [9 * k + j for j in range(9)]
        yield [9 * j + k for j in range(9)]
        yield [27 * (k // 3) + 3 * (k % 3) + 9 * (j // 3) + j % 3 for j in range(9)]


def _cp_sat() -> Any:
    try:
        return importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        return None


def _priced(puzzles: Sequence[str]) -> float:
    """How many times as long the best score takes as counting all completions."""
    took = []
    for target in (False, True):
        began = time.thread_time()
        ours.outcomes(puzzles, Options(None, target, timeout=ours.EVER))
        took.append(time.thread_time() - began)
    return took[1] / took[0]

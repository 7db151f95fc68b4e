"""Proving the best score of targets: compared with OR-tools' CP-SAT, and with plain counting."""

import importlib
import math
import random
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests import sudoku
from tests.benchmarks import ours
from tests.benchmarks.collections import collections, table
from tests.benchmarks.race import Disagreement
from worker.options import Options
from worker.sudoku.symbols import ring_weights

RINGS = ring_weights(9)
#: (side, clues) of grids too large for a proof, and the time limit for each
LARGE, SECONDS = ((16, 80), (16, 50), (16, 0), (25, 250)), 8.0
#: puzzles per collection
PUZZLES = 300


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield the time to each proven optimum, then the cost of `--target` on plain sudokus."""
    known = [row["puzzle"] for row in table(data, "target-known-best.csv")]
    if known and cp_sat() is None:
        yield "Left out: the comparison with CP-SAT needs OR-tools (pip install ortools)."
    elif known:
        _check_known(table(data, "target-known-best.csv"))
        yield from _against_cp_sat("ring weights", known, [RINGS] * len(known), rounds)
        chance = random.Random(7)
        weights = [tuple(chance.randint(1, 99) for _ in range(81)) for _ in known]
        yield from _against_cp_sat("random weights", known, weights, rounds)
        yield from _out_of_time()
    for name, puzzles in collections(data, PUZZLES):
        ratio = statistics.median(_priced(puzzles) for _ in range(rounds))
        yield f"{name}: {ratio:.2f} times as long with --target as counting alone."


def _check_known(grids: Sequence[dict[str, str]]) -> None:
    """Compare our best scores with those in the file; raise Disagreement."""
    for known in grids:
        score, _ = score_ours(known["puzzle"], RINGS)
        if score != int(known["best_score"]):
            raise Disagreement(f"{known['puzzle']}: {known['best_score']} is known, not {score}")


def _against_cp_sat(
    name: str, grids: Sequence[str], weights: Sequence[tuple[int, ...]], rounds: int
) -> Iterator[str]:
    yield f"| target, {name} | best | ms | CP-SAT ms | CP-SAT takes |"
    yield "|---|---|---|---|---|"
    ratios = []
    for number, (grid, weight) in enumerate(zip(grids, weights, strict=True), start=1):
        turns = [(score_ours(grid, weight), score_theirs(grid, weight)) for _ in range(rounds)]
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


def _out_of_time() -> Iterator[str]:
    """Yield the best scores and bounds of both on large grids after the time limit."""
    yield f"| target, random weights, {SECONDS:.0f} s | best | bound | CP-SAT's best | its bound |"
    yield "|---|---|---|---|---|"
    for side, clues in LARGE:
        chance = random.Random(clues + 1)
        weights = tuple(chance.randint(1, 99) for _ in range(side**2))
        grid = next(sudoku.grids(clues + 1, clues, side))
        (mine,) = ours.outcomes([grid], Options(target=True, weights=weights, timeout=SECONDS))
        best = mine.kept[0].score if mine.kept else None
        solver = _cp_solver()
        solver.parameters.max_time_in_seconds = SECONDS
        solver.solve(_model(cp_sat(), grid, weights))
        theirs = f"{solver.objective_value:.0f} | {solver.best_objective_bound:.0f}"
        yield f"| {side}x{side}, {clues} clues | {best} | {mine.bound} | {theirs} |"
    yield ""


def score_ours(grid: str, weights: tuple[int, ...]) -> tuple[int | None, float]:
    """Return the best score and the milliseconds of the whole call."""
    began = time.thread_time()
    (outcome,) = ours.outcomes([grid], Options(target=True, weights=weights, timeout=ours.NO_LIMIT))
    took = time.thread_time() - began
    assert outcome.complete
    return outcome.kept[0].score, took * 1e3


def score_theirs(grid: str, weights: tuple[int, ...]) -> tuple[int, float]:
    """Return CP-SAT's best score and its milliseconds, without building the model."""
    cp_model = cp_sat()
    model = _model(cp_model, grid, weights)
    solver = _cp_solver()
    began = time.thread_time()  # one worker searches in the calling thread
    status = solver.solve(model)
    took = time.thread_time() - began
    assert status == cp_model.OPTIMAL
    return round(solver.objective_value), took * 1e3


def _cp_solver() -> Any:
    """Return a solver with one worker and the fastest setting for these problems."""
    solver = cp_sat().CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    return solver


def _model(cp_model: Any, grid: str, weights: tuple[int, ...]) -> Any:
    model, side = cp_model.CpModel(), round(len(grid) ** 0.5)
    stands = [[model.new_bool_var("") for _ in range(side)] for _ in grid]
    for clue, symbols in zip(grid, stands, strict=True):
        model.add_exactly_one(symbols)
        if clue != ".":
            model.add(symbols[sudoku.SYMBOLS.index(clue)] == 1)
    for unit in _units(round(side**0.5)):
        for symbol in range(side):
            model.add_exactly_one(stands[cell][symbol] for cell in unit)
    worth = zip(weights, stands, strict=True)
    model.maximize(sum(w * (s + 1) * stand[s] for w, stand in worth for s in range(side)))
    return model


def _units(box: int) -> Iterator[list[int]]:
    """Yield the cells of each row, column and box."""
    side = box * box
    for k in range(side):
        yield [side * k + j for j in range(side)]
        yield [side * j + k for j in range(side)]
        corner = k // box * box * side + k % box * box
        yield [corner + j // box * side + j % box for j in range(side)]


def cp_sat() -> Any:
    try:
        return importlib.import_module("ortools.sat.python.cp_model")
    except ImportError:
        return None


def _priced(puzzles: Sequence[str]) -> float:
    """Return the time for the best scores divided by the time for counting all completions."""
    took = []
    for target in (False, True):
        began = time.thread_time()
        ours.outcomes(puzzles, Options(None, target, timeout=ours.NO_LIMIT))
        took.append(time.thread_time() - began)
    return took[1] / took[0]

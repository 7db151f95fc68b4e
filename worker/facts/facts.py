"""The facts of many puzzles, found in slices of time, and checked."""

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from storage.values import Facts
from worker.checking.facts import after_singles, are_witnesses
from worker.compiling.numbers import Integers
from worker.errors import SolverFailed
from worker.facts.clues import Clues, Grids, Solved, clues_of, solve
from worker.facts.survey import (
    BACKDOOR,
    CANDIDATES,
    DEEPER,
    DEPTH,
    PLACED,
    UNKNOWN,
    go_deeper,
    new_clock,
    new_report,
    survey,
)
from worker.facts.trials import new_memory
from worker.options import Options
from worker.stopwatch import LONGEST_TIMEOUT_SECONDS, SLICE_SECONDS, Stopwatch, nanoseconds
from worker.sudoku.solve import values_of
from worker.sudoku.symbols import SIDES
from worker.symmetry import classes

#: puzzles that are worked on together
PUZZLES_AT_A_TIME = 500
#: the fields of facts that classes have
CLASSES = Facts._fields.index("minimal")
T = TypeVar("T")


def facts_of(
    given: Grids,
    timeout: float = LONGEST_TIMEOUT_SECONDS,
    slice_seconds: float = SLICE_SECONDS,
) -> Iterator[list[Facts]]:
    """Yield the facts of puzzles of one size, in order, but their classes.

    Puzzles are given by cell, 0 is empty, and their side is 9 at most.  Yields after each slice,
    without facts if there are none yet.  `timeout` is that of each search, in seconds: of the
    solutions of a puzzle, of those without one of its clues, and of its depth.  What is not known
    then is None.  Raises SolverFailed if a fact is wrong.
    """
    for start in range(0, len(given), PUZZLES_AT_A_TIME):
        some = given[start : start + PUZZLES_AT_A_TIME]
        solved = yield from _awaited(solve(some, 2, timeout, slice_seconds))
        clues = yield from _awaited(clues_of(some, timeout, slice_seconds))
        report = yield from _awaited(_surveyed(some, solved, timeout, slice_seconds))
        _check(some, clues, report)
        yield _rows(clues, report)


def facts_of_texts(
    puzzles: Sequence[str], grids: Sequence[str | None], options: Options
) -> Iterator[list[Facts]]:
    """Yield the facts of sudokus of one size that the options ask for, after empty lists.

    `grids` are the solutions, None for a puzzle that has not exactly one.  A text that is no sudoku
    has no facts.
    """
    found = [Facts()] * len(puzzles)
    if options.classes and options.target:
        found = classes.forms_of_targets(puzzles, options.weights)
    elif options.classes:
        found = [one or Facts() for one in classes.forms_of_sudokus(puzzles, grids)]
    if options.facts:
        yield []
        values = values_of(puzzles)
        where = np.flatnonzero((values <= SIDES[values.shape[1]]).all(axis=1)).tolist()
        at = iter(where)
        for some in facts_of(values[where], options.timeout):
            for one in some:
                place = next(at)
                found[place] = Facts(*found[place][:CLASSES], *one[CLASSES:])
            yield []
    yield found


def _awaited(work: Generator[None, None, T]) -> Generator[list[Facts], None, T]:
    """Run a part of the work, yielding no facts after each of its slices; return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return] # it has no type
        yield []


def _surveyed(
    given: Grids, solved: Solved, timeout: float, slice_seconds: float
) -> Generator[None, None, Integers]:
    """Return the report of puzzles whose solutions were searched."""
    memory, clock = new_memory(round(given.shape[1] ** 0.5)), new_clock()
    report, limits = new_report(len(given)), (nanoseconds(slice_seconds), nanoseconds(timeout))
    is_decided = (solved.count == 0) | (solved.count == 1)
    solutions = np.where((solved.count == 1)[:, None], solved.solutions[:, 0], 0).astype(np.uint8)
    at = 0
    while at < len(given):
        at = survey(memory, given, solutions, is_decided, report, clock, at, *limits)
        if at < len(given) and report[at, DEPTH] == DEEPER:
            watch = Stopwatch(timeout)
            report[at, DEPTH] = yield from go_deeper(memory, lambda watch=watch: watch.is_over)
            at += 1
        yield
    return report


def _check(given: Grids, clues: Clues, report: Integers) -> None:
    """Raise SolverFailed if a fact is wrong."""
    where = np.flatnonzero(clues.is_necessary)
    puzzle, cell = clues.puzzle[where], clues.cell[where]
    without, value = given[puzzle], given[puzzle, cell]
    without[np.arange(where.size), cell] = 0
    if not are_witnesses(without, cell, value, clues.witness[where]):
        raise SolverFailed("wrong witness: it does not show that a clue is necessary")
    placed, candidates = after_singles(given)
    is_full = placed == given.shape[1]
    if (
        (placed != report[:, PLACED]).any()
        or (candidates != report[:, CANDIDATES]).any()
        or (is_full & (report[:, DEPTH] > 0)).any()
        or (~is_full & (placed >= 0) & (report[:, DEPTH] == 0)).any()
    ):
        raise SolverFailed("wrong facts: singles lead to another board")


def _rows(clues: Clues, report: Integers) -> list[Facts]:
    bounds = np.searchsorted(clues.puzzle, np.arange(len(report) + 1)).tolist()
    known = [[None if fact == UNKNOWN else fact for fact in row] for row in report.tolist()]
    return [
        Facts(
            **_of_clues(clues, slice(*some)),
            placed=row[PLACED],
            candidates=row[CANDIDATES],
            depth=row[DEPTH],
            backdoor=row[BACKDOOR],
        )
        for row, some in zip(known, pairwise(bounds), strict=True)
    ]


def _of_clues(clues: Clues, some: slice) -> dict[str, Any]:
    """Return whether a puzzle is minimal, and its redundant clues, as far as they are known."""
    if not clues.is_known[some].all():
        return {}
    cells = clues.cell[some][~clues.is_necessary[some]]
    side = round(clues.witness.shape[1] ** 0.5)
    names = [f"r{cell // side + 1}c{cell % side + 1}" for cell in cells.tolist()]
    return {"minimal": int(not names), "redundant": " ".join(names) or None}

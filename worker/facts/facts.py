"""The facts of many puzzles, found in slices of time, and checked."""

from collections.abc import Generator, Iterator, Sequence
from itertools import islice, pairwise
from math import inf
from typing import TypeVar

import numpy as np

from storage.values import Facts
from worker.checking.facts import after_singles, are_witnesses
from worker.compiling.numbers import Integers
from worker.errors import SolverFailed
from worker.facts.clues import Clues, Grids, Limits, Solved, clues_of, solve
from worker.facts.survey import (
    CANDIDATES,
    DEEPER,
    DEPTH,
    PLACED,
    TIME,
    UNKNOWN,
    go_deeper,
    new_clock,
    new_report,
    survey,
)
from worker.facts.trials import new_memory
from worker.options import Options
from worker.stopwatch import SLICE_SECONDS, Stopwatch, nanoseconds
from worker.sudoku.solve import values_of
from worker.sudoku.symbols import SIDES
from worker.symmetry import classes

#: puzzles that are worked on together
PUZZLES_AT_A_TIME = 500
T = TypeVar("T")


def facts_of(given: Grids, limits: Limits = Limits()) -> Iterator[list[Facts]]:  # noqa: B008
    """Yield the facts of puzzles of one size, in order, but their classes.

    Puzzles are given by cell, 0 is empty, and their side is 9 at most.  Yields after each slice,
    without facts if there are none yet.  The time limit is that of each search: for the solutions
    of a puzzle, for those without one of its clues, and for its depth.  What is not known then is
    None.  Raises SolverFailed if a fact is wrong.
    """
    for start in range(0, len(given), PUZZLES_AT_A_TIME):
        some = given[start : start + PUZZLES_AT_A_TIME]
        solved = yield from _awaited(solve(some, 2, limits))
        first = np.ascontiguousarray(solved.solutions[:, 0])
        clues = yield from _awaited(clues_of(some, first, limits))
        report = yield from _awaited(_surveyed(some, solved, limits))
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
        where = np.flatnonzero((values <= SIDES[values.shape[1]]).all(axis=1))
        at = iter(where.tolist())
        for some in facts_of(values[where], Limits(options.timeout)):
            for place, one in zip(islice(at, len(some)), some, strict=True):
                found[place] = _joined(found[place], one)
            yield []
    yield found


def _joined(of_class: Facts, others: Facts) -> Facts:
    """Return the facts of both."""
    return others._replace(
        class_=of_class.class_,
        canonical=of_class.canonical,
        grid_class=of_class.grid_class,
        automorphisms=of_class.automorphisms,
    )


def _awaited(work: Generator[None, None, T]) -> Generator[list[Facts], None, T]:
    """Run a part of the work, yielding no facts after each of its slices; return its result."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return] # it has no type
        yield []


def _surveyed(given: Grids, solved: Solved, limits: Limits) -> Generator[None, None, Integers]:
    """Return the report of puzzles whose solutions were searched."""
    memory, clock = new_memory(round(given.shape[1] ** 0.5)), new_clock()
    report, times = new_report(len(given)), (limits.slice_seconds, limits.timeout)
    is_decided = (solved.found == 0) | (solved.found == 1)
    solutions = np.where((solved.found == 1)[:, None], solved.solutions[:, 0], 0).astype(np.uint8)
    at = 0
    while at < len(given):
        at = survey(
            memory, given, solutions, is_decided, report, clock, at, *map(nanoseconds, times)
        )
        if at < len(given) and report[at, DEPTH] == DEEPER:
            watch = Stopwatch.since(int(report[at, TIME]), 0, limits.timeout, inf, SLICE_SECONDS)
            report[at, DEPTH] = yield from go_deeper(memory, watch)
            at += 1
        yield
    return report


def _check(given: Grids, clues: Clues, report: Integers) -> None:
    """Raise SolverFailed if a fact is wrong."""
    where = np.flatnonzero(clues.is_necessary)
    without, cell = given[clues.puzzle[where]], clues.cell[where]
    without[np.arange(where.size), cell] = 0
    if not are_witnesses(without, cell, clues.value[where], clues.witness[where]):
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
    is_known, names = clues.is_redundant | clues.is_necessary, _names(clues)
    rows = []
    for row, (start, stop) in zip(report.tolist(), pairwise(bounds), strict=True):
        placed, candidates, depth, backdoor, _ = (None if one == UNKNOWN else one for one in row)
        facts = Facts(placed=placed, candidates=candidates, depth=depth, backdoor=backdoor)
        if is_known[start:stop].all():
            redundant = " ".join(filter(None, names[start:stop]))
            facts = facts._replace(minimal=int(not redundant), redundant=redundant or None)
        rows.append(facts)
    return rows


def _names(clues: Clues) -> list[str | None]:
    """Return the names of redundant clues, as in `r1c2`, and None for the others."""
    side = round(clues.witness.shape[1] ** 0.5)
    names: list[str | None] = [None] * clues.cell.size
    for at in np.flatnonzero(clues.is_redundant).tolist():
        row, column = divmod(int(clues.cell[at]), side)
        names[at] = f"r{row + 1}c{column + 1}"
    return names

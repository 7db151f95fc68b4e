"""Counts of the solutions of grids, from a table of states where that is faster."""

from collections.abc import Iterator
from time import perf_counter_ns, thread_time_ns

import numpy as np
from numpy.typing import NDArray

from worker.counting.count import in_slices
from worker.counting.ways import Before, Plain
from worker.exact_cover.costs.scores import Setup
from worker.exact_cover.parts.part_search import NEVER
from worker.exact_cover.solve import Found
from worker.exact_cover.state import Path, kept_paths, terms
from worker.options import Options
from worker.outcome import KeptSolution, Outcome, Outcomes, Rest
from worker.stopwatch import Stopwatch
from worker.sudoku.board import without_clues
from worker.sudoku.outcomes import counted
from worker.sudoku.parts import part_of, text_of
from worker.sudoku.solver import GridSolver
from worker.sudoku.symbols import SIDES, SYMBOLS
from worker.sudoku.weights import scale

#: the terms of a search that visits all solutions and keeps the first
ALL = terms(limit=None, keep=1, costly=False)


def count(given: NDArray[np.uint8], options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """Yield the outcomes of grids whose solutions are drawn at random, or counted by option."""
    for values in given:
        open_cells, numbers = without_clues(values)
        results = in_slices(
            open_cells,
            memory=options.memory,
            slice_seconds=slice_seconds,
            watch=Stopwatch(options.timeout),
            sample=options.sample,
            seed=options.seed,
            per_option=options.per_option,
        )
        for found in results:
            rows = [] if found is None else [counted(values, numbers, found, options)]
            yield Outcomes.of(rows)


def count_rests(
    given: NDArray[np.uint8],
    outcomes: Outcomes,
    options: Options,
    slice_seconds: float,
    budget: float,
) -> Iterator[Outcomes]:
    """Yield the outcomes of grids, of which some have a rest that is to be counted."""
    for values, row in zip(given, outcomes.rows(), strict=True):
        if row.rest is None:
            yield Outcomes.of([row])
        else:
            yield from _count_rest(values, row, row.rest, options, slice_seconds, budget)


def _count_rest(
    values: NDArray[np.uint8],
    row: Outcome,
    rest: Rest,
    options: Options,
    slice_seconds: float,
    budget: float,
) -> Iterator[Outcomes]:
    """Yield the outcome of a grid, part of which was searched without a table."""
    open_cells, numbers = without_clues(values)
    searched = _Searched(values, row, rest)
    watch = Stopwatch(
        options.timeout, budget, perf_counter_ns() - row.ns, thread_time_ns() - row.ns
    )
    results = in_slices(
        open_cells,
        memory=options.memory,
        slice_seconds=slice_seconds,
        watch=watch,
        plain=searched.plain(numbers),
    )
    for found in results:
        if found is None:
            yield Outcomes.of([])
        else:
            yield Outcomes.of([searched.outcome(counted(values, numbers, found, options), found)])


class _Searched:
    """A grid of which a part was searched."""

    def __init__(self, values: NDArray[np.uint8], row: Outcome, rest: Rest) -> None:
        self._values, self._row, self._rest = values, row, rest
        side = SIDES[values.size]
        unweighted = scale((0,) * values.size)
        self._solver = GridSolver(
            side, values[None], unweighted, ALL, timeout=NEVER / 1e9, slice_seconds=NEVER / 1e9
        )

    def plain(self, numbers: NDArray[np.int64]) -> Plain:
        """Return the search of the rest; `numbers` are those of the options of the open cells."""
        setup, levels = Setup.decode(self._rest.setup), self._rest.frontier.levels
        self._part, _ = part_of(self._solver, setup, levels)
        side = SIDES[self._values.size]
        number = np.zeros(side * self._values.size, np.int64)
        number[numbers] = np.arange(numbers.size)
        open_cells = np.flatnonzero(self._values == 0)

        def as_cover(path: Path) -> Path:
            text = text_of(self._solver, path)
            options = [cell * side + SYMBOLS.index(text[cell]) - 1 for cell in open_cells.tolist()]
            return tuple(number[options].tolist())

        before = Before(self._row.solutions or 0, self._row.nodes, self._row.ns)
        return Plain(self._part, as_cover, before)

    def outcome(self, counted: Outcome, found: Found) -> Outcome:
        """Return the outcome of a count, with the first solution and what is left, if anything."""
        kept = self._row.kept or counted.kept
        if found.frontier is None:
            return counted._replace(kept=kept)
        first = self._rest.kept or tuple(
            KeptSolution(None, path, text_of(self._solver, path))
            for path, _ in kept_paths(self._part.search)
        )
        return counted._replace(kept=kept, rest=Rest(found.frontier, self._rest.setup, first))

"""The search of a part: it enters each untried option of the part, and can stop at any node."""

from typing import NamedTuple

import numpy as np

from worker.exact_cover.entries import follow, leave, search_slice
from worker.exact_cover.layout import Links
from worker.exact_cover.parts.frontier import Frontier, Level, Levels
from worker.exact_cover.parts.path import BRANCHING, DEPTH, ITEM, OPTION
from worker.exact_cover.state import FULL, LIMITED, PAUSED, Search, Terms, with_room
from worker.stopwatch import Stopwatch

#: later than any slice ends, in nanoseconds
NEVER = 2**60


class ForeignPart(Exception):
    """A part whose path does not exist in the search: another release or another puzzle made it."""


class Row(NamedTuple):
    """A row of `path.leave`."""

    depth: int
    item: int
    branching: int
    option: int


class PartSearch:
    """A search that is restricted to a part, on tables in which every item of the puzzle is open.

    `search` counts what it finds.  Without `pairs_compared`, it is a search of the whole puzzle
    that was paused.
    """

    def __init__(
        self,
        tables: Links,
        search: Search,
        terms: Terms,
        levels: Levels,
        pairs_compared: int | None = None,
    ) -> None:
        self.search = search
        if pairs_compared is not None:
            search.state.pairs_compared, search.state.restart_nodes = pairs_compared, 0
        self.ns = self.wall_ns = 0  #: CPU time and wall time that it took, in nanoseconds
        self.kernel_ns = 0  #: wall time in its kernel, without loading this
        self.terms = terms
        self.tables = tables
        self._levels: Levels | None = levels
        self._entered = pairs_compared is None

    def advance(self, slice_ns: int) -> int:
        """Search for so many nanoseconds; return PAUSED, EXHAUSTED or LIMITED.

        Raise ForeignPart if the part does not belong to this search.
        """
        watch, status, is_over = Stopwatch(slice_ns / 1e9), PAUSED, False
        while self._levels is not None and not is_over:
            if not self._entered:
                self._enter(self._levels)
            left_ns = max(1, watch.left_ns)
            status, took_ns = search_slice(self.tables, self.search, self.terms, left_ns, NEVER)
            self.kernel_ns += took_ns
            is_over = watch.is_over
            if status == FULL:
                self.search = with_room(self.search, self.terms.wanted)
            elif status != PAUSED:
                self._entered = False
                self._levels = None if status == LIMITED else _without_first(self._levels)
        self.ns += watch.ns
        self.wall_ns += watch.wall_ns
        return PAUSED if self._levels is not None else int(status)

    def frontier(self) -> Frontier | None:
        """Stop, and return what is left; None if the part has ended.

        The search itself is at the root afterwards.
        """
        if self._entered and self._levels is not None:
            self._levels = self._leave(self._levels)
            self._entered = False
        return None if self._levels is None else Frontier(self._levels)

    def _enter(self, levels: Levels) -> None:
        """Follow the path of the part; its last option is chosen for the first time."""
        rows = _rows_of(levels)
        if not follow(self.tables, self.search, self.terms, rows) or any(
            level.branching != made for level, made in zip(levels, rows[:, BRANCHING], strict=True)
        ):
            raise ForeignPart("this part does not belong to the search")
        self.search.state.nodes += len(levels) > 0
        self._entered = True

    def _leave(self, outer: Levels) -> Levels | None:
        """Return the levels of a search that is below the path of `outer`."""
        state, tables = self.search.state, self.tables
        is_dead = state.dead != 0
        rows = np.zeros((self.search.chosen.size + tables.cost.size, 4), np.int64)
        path, count = leave(self.tables, self.search, rows)
        found = [Row(*row) for row in rows[:count].tolist()]
        if is_dead and path == count:
            return _without_first(outer)
        levels = _levels(outer, found[:path], found[path:])
        if not is_dead:
            state.nodes -= path > 0  # the last option on the path will be chosen again
        return self._with_branching(levels)

    def _with_branching(self, levels: Levels) -> Levels:
        """Return the levels with the branching of those whose other options were all tried."""
        rows = _rows_of(levels)
        follow(self.tables, self.search, self.terms, rows)
        known = [
            level._replace(branching=made)
            for level, made in zip(levels, rows[:, BRANCHING].tolist(), strict=True)
        ]
        leave(self.tables, self.search, np.zeros((self.search.chosen.size, 4), np.int64))
        return tuple(known)


def _rows_of(levels: Levels) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """Return the path of a part as rows for `path.follow`."""
    rows = np.zeros((len(levels), 4), np.int64)
    for depth, level in enumerate(levels):
        rows[depth, DEPTH], rows[depth, ITEM] = depth, level.item
        rows[depth, OPTION] = level.options[0]
    return rows


def _levels(outer: Levels, path: list[Row], untried: list[Row]) -> Levels:
    """Return the levels of a path that continues that of `outer`, with options below it."""
    options = [[row.option] for row in path]
    items, branchings = [row.item for row in path], [row.branching for row in path]
    for depth, level in enumerate(outer):
        options[depth], branchings[depth] = [*level.options], level.branching
    for row in sorted(untried, key=lambda row: row.depth):
        if row.depth == len(options):  # the path ends above
            options.append([])
            items.append(row.item)
            branchings.append(row.branching)
        options[row.depth].append(row.option)
        branchings[row.depth] = row.branching
    return tuple(
        Level(item, branching, tuple(some))
        for item, branching, some in zip(items, branchings, options, strict=True)
    )


def _without_first(levels: Levels) -> Levels | None:
    """Return what is left when the first option of the last level has been searched."""
    for depth in range(len(levels) - 1, -1, -1):
        level = levels[depth]
        if len(level.options) > 1:
            rest = level._replace(options=level.options[1:], bounds=level.bounds[1:])
            return (*levels[:depth], rest)
    return None

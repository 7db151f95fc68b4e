"""Ways of counting the covers of a problem: visit each, or remember the states that were counted.

Neither is always better. To remember saves nothing where few states are met twice, as in sudokus
and among queens, and then each node takes about four times as long. Where many states are met
again, as in tilings, it counts in a second covers that could not be visited in years.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from worker.counting.diagram import NO_DIAGRAM, Diagram, enlarged
from worker.counting.numbers import to_int, to_words, widened
from worker.counting.order import Piece
from worker.counting.search import CROWDED, OVERFLOW, Level, Memo, State, memo_slice
from worker.counting.table import copy_table, new_table, random_keys
from worker.exact_cover import stops
from worker.exact_cover.layout import links
from worker.exact_cover.parts.frontier import Frontier
from worker.exact_cover.parts.part_search import PartSearch, may_be_divided
from worker.exact_cover.slices import Slices
from worker.exact_cover.solve import Begun
from worker.exact_cover.state import Path, kept_paths, new_search, terms
from worker.stopwatch import Stopwatch

#: the terms of the search for one cover beside the count
ONE_COVER = terms(limit=None, keep=1, costly=False)


class Way(ABC):
    """A way of counting, which can be stopped and continued."""

    wall_ns: int  #: time that it took so far, in nanoseconds
    by_size = True  #: it branches on the smallest item, not on the first
    _piece: Piece
    _slices: Slices[Any]

    @abstractmethod
    def advance(self, slice_ns: int) -> bool:
        """Count for `slice_ns`; return whether it has ended."""

    @property
    @abstractmethod
    def covers(self) -> int:
        """The covers counted so far; all if it has ended."""

    @abstractmethod
    def share(self) -> float:
        """Return the share of its search tree that is done, if all options of an item are alike."""

    @property
    def ns(self) -> int:
        """Time in its kernel, in nanoseconds; loading this may take longer."""
        return self._slices.kernel_ns

    @property
    def nodes(self) -> int:
        """Search nodes."""
        return int(self._slices.search.state.nodes)

    @property
    def path(self) -> Path | None:
        """The first cover that it came to: option numbers from 0; None if it came to none."""
        paths = kept_paths(self._slices.search)
        return tuple(self._piece.options[list(paths[0][0])].tolist()) if paths else None


class Plain(Way):
    """Visits every cover."""

    def __init__(self, piece: Piece, begun: Begun | None = None, begun_ns: int = 0) -> None:
        """Begin, or go on from what another search has done in `begun_ns`."""
        watch = Stopwatch()
        problem, self._piece = piece.problem, piece
        search = new_search(problem, 1)
        self._slices = self._part = PartSearch(links(problem), search, ONE_COVER, ())
        if begun is not None:
            first = begun._replace(options=begun.options[:1], cost=begun.cost[:1])
            first.go_on(self._part)
            self._part.kernel_ns = begun_ns
        self.wall_ns = begun_ns or watch.wall_ns

    def advance(self, slice_ns: int) -> bool:
        """Search for `slice_ns`; return whether the search has ended."""
        before = self._part.kernel_ns
        status = self._part.advance(slice_ns)
        self.wall_ns += self._part.kernel_ns - before
        return status != stops.PAUSED

    @property
    def covers(self) -> int:
        """The covers found so far."""
        return int(self._part.search.state.found)

    @property
    def pairs_compared(self) -> int:
        """What parts of this search need; see `exact_cover.state.State`."""
        return int(self._part.search.state.pairs_compared)

    def frontier(self) -> Frontier | None:
        """Return what is left; None if nothing is, or if it cannot be told yet."""
        if not may_be_divided(self._part.search):
            return None
        return self._part.frontier()

    def share(self) -> float:
        """Return the share of its tree that is done; 0 if it cannot be told yet."""
        frontier = self.frontier()
        levels = () if frontier is None else frontier.levels
        return share_done((one.branching, one.branching - len(one.options)) for one in levels)


class States:
    """A table of counted states, which several searches of one piece share."""

    def __init__(self, piece: Piece, memory: int) -> None:
        self.table = new_table(memory)
        self.keys = random_keys(piece.problem.cost.size)
        self._memory = memory

    def enlarge(self) -> None:
        """Double the number of entries; if there is no memory for that, leave it as it is."""
        try:
            self.grow(entries=2)
        except MemoryError:
            self.table.state.max_entries = self.table.state.entries

    def grow(self, *, entries: int = 1, count_words: int = 1) -> None:
        """Multiply the entries of the table, and the words of each count."""
        before = self.table.state
        sizes = int(before.entries) * entries, int(before.count_words) * count_words
        table = new_table(self._memory, *sizes)
        copy_table(self.table, table)
        self.table = table


class Remembering(Way):
    """Looks each state up before it searches it; writes its covers to `diagram`, if it gets one."""

    _slices: Slices[Memo]

    def __init__(
        self, piece: Piece, states: States, *, by_size: bool, diagram: Diagram = NO_DIAGRAM
    ) -> None:
        watch, problem, depth = Stopwatch(), piece.problem, piece.problem.max_depth
        self._piece, self._states, self.by_size = piece, states, by_size
        words = int(states.table.state.count_words)
        sizes = (depth + 2) * words, words, words
        sums, result, skip = (np.zeros(size, np.uint64) for size in sizes)
        memo = Memo(
            links(problem, snapshots=False),  # keys are made from the trail
            new_search(problem, 1),
            np.zeros(depth + 2, Level),
            sums,
            result,
            skip,
            states.table,
            states.keys,
            by_size,
            diagram,
            np.zeros(1, State)[0],
        )
        self._slices = Slices(memo_slice, memo, memo.search, ONE_COVER, watch)
        self.wall_ns = watch.wall_ns

    @property
    def _memo(self) -> Memo:
        return self._slices.tables

    def advance(self, slice_ns: int) -> bool:
        """Search for `slice_ns`; return whether the search has ended.

        Raises TooLarge if the diagram may not be enlarged.
        """
        watch, slices = Stopwatch(slice_ns / 1e9), self._slices
        status, is_over = stops.PAUSED, False
        while status not in {stops.EXHAUSTED, stops.LIMITED} and not is_over:
            self._take_table()
            status = slices.advance(max(1, watch.left_ns))
            if status == CROWDED:
                self._states.enlarge()
            elif status == OVERFLOW and self._memo.diagram.option.size:
                slices.tables = self._memo._replace(diagram=enlarged(self._memo.diagram))
            elif status == OVERFLOW:
                self._states.grow(count_words=2)
            is_over = watch.is_over
        self.wall_ns += watch.wall_ns
        return status in {stops.EXHAUSTED, stops.LIMITED}

    def _take_table(self) -> None:
        """Go on with the latest table, whose counts may have more words."""
        memo, table = self._memo, self._states.table
        sizes = int(memo.table.state.count_words), int(table.state.count_words)
        sums, result, skip = (widened(one, *sizes) for one in (memo.sums, memo.result, memo.skip))
        self._slices.tables = memo._replace(table=table, sums=sums, result=result, skip=skip)

    def look_for(self, rank: int) -> None:
        """Let `advance` look for a cover: that with this number, from 0, in the order of search.

        The search before must have ended. That of `again` has.
        """
        memo = self._memo
        memo.skip[:] = to_words(rank, memo.skip.size)
        memo.state.skipping = 1
        memo.search.state.kept = 0

    def again(self) -> "Remembering":
        """Return a search by the same rule, with the same table, that has not begun."""
        return Remembering(self._piece, self._states, by_size=self.by_size)

    @property
    def diagram(self) -> tuple[Diagram, int]:
        """The diagram and, if the search has ended, the node that has all covers."""
        return self._memo.diagram, int(self._memo.result[0])

    @property
    def covers(self) -> int:
        """The covers counted so far."""
        memo = self._memo
        sums = memo.sums.reshape(-1, memo.result.size)[1 : int(memo.search.state.level) + 1]
        returned = [memo.result] if memo.state.returning else []
        return sum(map(to_int, [*sums, *returned]))

    def share(self) -> float:
        """Return the share of its tree that is done."""
        levels = self._memo.levels[1 : int(self._memo.search.state.level) + 1]
        return share_done((int(one.branching), int(one.tried) - 1) for one in levels)


def share_done(levels: Iterable[tuple[int, int]]) -> float:
    """Return the share of a tree that is done, of which a path is open.

    For each level of the path there is the number of its options, and how many of them are done.

    >>> share_done([(4, 1), (2, 1)])
    0.375
    """
    share, below = 0.0, 1.0
    for branching, done in levels:
        below /= branching
        share += below * done
    return share

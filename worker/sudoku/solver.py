"""Grids of one size on their way through the compiled search."""

from time import perf_counter_ns
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover.costs.dual import Dual, new_dual
from worker.exact_cover.layout import Links, max_depth, memory
from worker.exact_cover.state import (
    EXHAUSTED,
    FULL,
    INITIAL_ROOM,
    Search,
    Terms,
    new_search,
    with_room,
)
from worker.stopwatch import nanoseconds
from worker.sudoku.board import Marks, board, new_marks, nodes, problem
from worker.sudoku.entries import solve_grids
from worker.sudoku.grids import FRESH, WRITING, Round, new_grids
from worker.sudoku.lanes.memory import Grid, new_grid
from worker.sudoku.lay_out import Scoring
from worker.sudoku.weights import Scale

#: solutions that one compiled call has room for, at first; one for each puzzle of a chunk
INITIAL_ROWS = 8192
#: a first short search for the best score looks for so many solutions beyond the wanted ones
TRIAL_SOLUTIONS = 64
#: nodes after which a search in lanes goes on as one that can be divided, which is after about 0.25
#: s. It is the same number for all, because it decides which solutions are found first.
LANE_NODES = 1 << 23


class Memory(NamedTuple):
    """What the compiled search of one grid after the other writes to."""

    lanes: Grid
    marks: Marks
    links: Links
    search: Search


#: by side: memory of a solver that has finished, for the next one, in whatever thread; memory that
#: is allocated anew takes as long as a dozen easy puzzles
_SPARE: dict[int, Memory] = {}


class GridSolver:
    """Grids of one size, the memory to solve them, and how far they are."""

    def __init__(
        self,
        side: int,
        given: NDArray[np.uint8],
        scale: Scale,
        terms: Terms,
        *,
        timeout: float,
        slice_seconds: float,
    ) -> None:
        self.side, self.terms, self.scale = side, terms, scale
        self._first = _first_terms(terms) if terms.prune else terms
        self.board = board(side)
        spare = _SPARE.pop(side, None)
        self.lanes, self.marks, self.links, self.search = spare or _memory(side)
        self.grids = new_grids(given, min(INITIAL_ROWS, terms.wanted * len(given)))
        self.scoring = Scoring(scale.weight, np.zeros(self.links.right.size, np.int64))
        self.timeout_ns, self.slice_ns = nanoseconds(timeout), nanoseconds(slice_seconds)
        self.at, self.row, self.stage, self.status = 0, 0, FRESH, EXHAUSTED
        self._dual: Dual | None = None
        self._counted_until = (
            0  #: wall time up to which the time of the grid that is next is counted
        )
        self.round = Round(self.marks.candidates, 0, 0)  #: what a stage of NEW_ROUND begins

    @property
    def report(self) -> Any:
        """The report of the grid that is next."""
        return self.grids.report[self.at]

    @property
    def dual(self) -> Dual:
        """Memory to improve the multipliers of the grid that is next."""
        if self._dual is None:
            whole = self.links
            items, nodes = whole.right.size - 1, whole.nodes.option.size
            dual = new_dual(items, whole.cost.size, nodes)
            self._dual = dual._replace(multiplier=self.scoring.multiplier)
        return self._dual

    def advance(self) -> None:
        """Solve grids for a slice of time, or until one needs rounds; make room if one lacks it."""
        self.count_time()
        self.at, self.row, self.stage, self.status = solve_grids(
            self.lanes,
            self.board,
            self.marks,
            self.links,
            self.search,
            self.grids,
            self.scoring,
            self.terms,
            self._first,
            self.at,
            self.row,
            self.stage,
            self.round,
            LANE_NODES,
            self.slice_ns,
            self.timeout_ns,
        )
        self._counted_until = perf_counter_ns()

    def count_time(self, ns: int = 0, wall_ns: int = 0) -> None:
        """Add the time since the kernel returned to that of the grid that is next, if it has begun.

        It is what Python and the caller took, and counts for the time limit. Of it, `wall_ns` were
        spent in another kernel, `ns` of them on the processor.
        """
        now = perf_counter_ns()
        if self.stage != FRESH:
            self.report.wall_ns += max(wall_ns, now - self._counted_until)
            self.report.ns += ns
        self._counted_until = now

    def make_room(self) -> None:
        """Make room for more solutions of the grid that is next, if its search is full."""
        if self.status == FULL:
            self.search = with_room(self.search, self.terms.wanted)

    def free_rows(self) -> None:
        """Make all rows free again, enough for the solutions of the grid that is next."""
        self.row = 0
        if self.stage != WRITING:
            return
        rows, cells = int(self.search.state.kept), self.grids.given.shape[1]
        if rows > len(self.grids.kept):
            kept, cost = np.zeros((rows, cells), np.uint8), np.zeros(rows, np.int64)
            self.grids = self.grids._replace(kept=kept, cost=cost)

    def finish(self) -> None:
        """Leave the memory to the next solver of this size; nothing of this one is used then."""
        if len(self.search.kept.cost) == INITIAL_ROOM:
            _SPARE[self.side] = Memory(self.lanes, self.marks, self.links, self.search)


def _memory(side: int) -> Memory:
    whole = problem(side)
    links = memory(whole, nodes(side), whole.items + 1)
    search = new_search(max_depth(whole), whole.members.size, INITIAL_ROOM)
    return Memory(new_grid(side), new_marks(side), links, search)


def _first_terms(terms: Terms) -> Terms:
    """Return what the first search for the best score looks for: all solutions, if they are few.

    It compares no costs, so a grid with one solution takes as long as without a target.
    """
    return terms._replace(limit=terms.wanted + TRIAL_SOLUTIONS, prune=False)

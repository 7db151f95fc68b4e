"""Grids of one size on their way through the compiled search."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.exact_cover import stops
from worker.exact_cover.layout import memory
from worker.exact_cover.parts.frontier import Levels
from worker.exact_cover.parts.part_search import PartSearch, may_be_divided
from worker.exact_cover.slices import with_room
from worker.exact_cover.solve import Begun
from worker.exact_cover.state import INITIAL_ROOM, UNLIMITED, Search, Terms, new_search, terms
from worker.options import Options
from worker.stopwatch import cpu_clock_ns, nanoseconds, wall_clock_ns
from worker.sudoku.board import board, new_marks, nodes, problem
from worker.sudoku.entries import (
    FRESH,
    LEFT,
    SEARCHING,
    WRITING,
    Memory,
    new_grids,
    solve_grids,
    solve_in_lanes,
)
from worker.sudoku.lanes.board import SIDE as LANES_SIDE
from worker.sudoku.lanes.board import Grid, new_grid
from worker.sudoku.outcomes import scale_of
from worker.sudoku.puzzle import GridPuzzle
from worker.sudoku.symbols import SIDES

#: solutions that one compiled call has room for, at first; one for each puzzle of a chunk
INITIAL_ROWS = 8192
#: solutions beyond the wanted ones that a first short search for the best score looks for, and the
#: nodes after which it ends, which take as long as better multipliers
TRIAL_SOLUTIONS, TRIAL_NODES = 64, 1 << 12
#: nodes after which a search in lanes starts again as one that can be divided, which is after about
#: 0.4 s. It is the same number for all, because it decides which solutions are found first.
LANE_NODES = 1 << 22
#: nanoseconds in which a kept solution is written as text and stored, and what each cell adds
WRITING_NS, WRITING_CELL_NS = 4_000, 40


#: by side: memory of a solver that has finished, for the next one, in whatever thread; memory that
#: is allocated anew takes as long as a dozen easy puzzles
_SPARE: dict[int, Memory[Any]] = {}


class GridSolver:
    """Grids of one size, the memory to solve them, and how far they are."""

    def __init__(
        self, given: NDArray[np.uint8], options: Options, timeout: float, slice_seconds: float
    ) -> None:
        """`timeout` is that of each grid, in seconds, and the others are as in `solve`."""
        self.side, self.scale = SIDES[given.shape[1]], scale_of(options, given.shape[1])
        asked = terms(
            limit=None if options.target else options.limit,
            keep=options.keep,
            prune=options.target and not options.every,
            costly=options.target,
        )
        self._prune = asked.prune
        #: whether any solution scores as much as any other
        self._are_equal = asked.prune and not self.scale.weight.any()
        self.terms = _first_terms(asked, self._are_equal) if asked.prune else asked
        spare = _SPARE.pop(self.side, None)
        self.memory = spare or _memory(self.side)
        self.grids = new_grids(given, min(INITIAL_ROWS, asked.wanted * len(given)))
        self.timeout_ns, self.slice_ns = nanoseconds(timeout), nanoseconds(slice_seconds)
        self.at, self.row, self.stage, self.status = 0, 0, FRESH, stops.EXHAUSTED
        #: the nodes after which the search of a grid goes on elsewhere
        self.node_limit = (
            TRIAL_NODES if asked.prune else LANE_NODES if self.has_lanes else UNLIMITED
        )
        #: wall time and CPU time up to which those of the grid that is next are counted
        self._counted_until = 0, 0

    @property
    def report(self) -> Any:
        """The report of the grid that is next."""
        return self.grids.report[self.at]

    @property
    def search(self) -> Search:
        """The search of the grid that is next."""
        return self.memory.search

    @property
    def has_lanes(self) -> bool:
        """Whether grids are searched in lanes, which cannot be divided."""
        return isinstance(self.memory.tables, Grid)

    def advance(self) -> None:
        """Solve grids for a slice of time, or until one goes on elsewhere; make room if needed."""
        self.count_time()
        is_begun = self.stage == SEARCHING
        timeout_ns = self._make_room() if is_begun else self.timeout_ns
        solve = solve_in_lanes if self.has_lanes else solve_grids
        self.at, self.row, self.stage, self.status = solve(
            self.memory,
            self.grids,
            self.scale.weight,
            self.terms,
            self._prune and not self._are_equal,
            self.at,
            self.row,
            self.stage,
            self.node_limit,
            self.slice_ns,
            timeout_ns,
        )
        self._count_from_now()

    def _make_room(self) -> int:
        """Give the search of a grid more room if needed; return the time at which it must end."""
        used_ns = int(self.report.wall_ns)
        left_ns = max(0, self.timeout_ns - used_ns)
        each_ns = WRITING_NS + WRITING_CELL_NS * self.side**2
        given = (self.terms.wanted, left_ns, each_ns)
        search, left_ns = with_room(self.search, *given)
        self.memory = self.memory._replace(search=search)
        # The next grids are solved in the same call while there are rows, with their own limits.
        is_last = self.row + int(search.state.kept) > len(self.grids.kept)
        return used_ns + left_ns if is_last else self.timeout_ns

    def goes_on(self, budget_ns: int) -> bool:
        """Return whether the search of the grid that is next has stopped, to go on elsewhere.

        After the budget it stops wherever it may be divided, but for the short search in lanes.
        """
        if (
            self.stage == SEARCHING
            and self.status == stops.PAUSED
            and not (self.has_lanes or self._prune)
        ):
            is_over = self.report.wall_ns >= budget_ns and may_be_divided(self.search)
            self.stage = LEFT if is_over else SEARCHING
        return self.stage == LEFT

    def begun(self, puzzle: GridPuzzle) -> Begun:
        """Return what the search of a grid that goes on has brought."""
        state = self.search.state
        found, nodes, kept = int(state.found), int(state.nodes), self._kept()
        levels: Levels | None = ()  # the search starts again
        if not (self.has_lanes or self._prune or self.status == stops.MANY):
            tables = self.memory.tables
            levels = PartSearch(tables, self.search, self.terms, ()).levels_left()
        return puzzle.begun(found, nodes, kept, levels)

    def skip(self) -> None:
        """Leave out the grid that is next."""
        self.at, self.stage, self.status = self.at + 1, FRESH, stops.EXHAUSTED

    def _kept(self) -> NDArray[np.uint8]:
        """Return the solutions of the grid that is next, the best first: a row of values each."""
        kept, count = self.search.kept, int(self.search.state.kept)
        slots = np.lexsort((kept.order[:count], kept.cost[:count]))
        options = kept.options[slots, : kept.length[0]].astype(np.int64)
        _, placed = np.frexp(self.memory.marks.candidates)  # the number of the highest bit
        values = np.repeat(placed[None].astype(np.uint8), count, axis=0)
        values[np.arange(count)[:, None], options // self.side] = options % self.side + 1
        return values

    def free_rows(self) -> None:
        """Make all rows free again, enough for the solutions of the grid that is next."""
        self.row = 0
        if self.stage == WRITING and (rows := int(self.search.state.kept)) > len(self.grids.kept):
            cells = self.grids.given.shape[1]
            self.grids = self.grids._replace(kept=np.zeros((rows, cells), np.uint8))

    def finish(self) -> None:
        """Leave the memory to the next solver of this size; nothing of this one is used then."""
        if len(self.search.kept.cost) == INITIAL_ROOM:
            _SPARE[self.side] = self.memory

    def count_time(self) -> None:
        """Add the time since the kernel returned to that of the grid that is next, if it has begun.

        It is what Python and the caller took, and counts for the time limit.
        """
        if self.stage != FRESH:
            wall, cpu = self._counted_until
            self._count_from_now()
            self.report.wall_ns += self._counted_until[0] - wall
            self.report.ns += self._counted_until[1] - cpu

    def _count_from_now(self) -> None:
        if self.stage != FRESH:  # reading a clock of CPU time is a system call
            self._counted_until = wall_clock_ns(), cpu_clock_ns()


def _memory(side: int) -> Memory[Any]:
    whole = problem(side)
    tables = new_grid() if side == LANES_SIDE else memory(whole, nodes(side), whole.items + 1)
    return Memory(board(side), new_marks(side), tables, new_search(whole, INITIAL_ROOM))


def _first_terms(terms: Terms, are_equal: bool) -> Terms:
    """Return what the first search for the best score looks for: all solutions, if they are few.

    It compares no costs, so a grid with one solution takes as long as without a target. Where all
    solutions score the same, the first ones are the best.
    """
    more = 0 if are_equal else TRIAL_SOLUTIONS
    return terms._replace(limit=terms.wanted + more, prune=False)

"""Many grids of one size, their results, and the compiled functions that solve them."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from worker import exact_cover
from worker.compiling.clock import now, start, time_run
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Record, Unsigned, record
from worker.exact_cover import stops
from worker.exact_cover.layout import Links
from worker.exact_cover.search import run
from worker.exact_cover.solutions import sort
from worker.exact_cover.state import UNBOUNDED, Search, Terms, compare_pairs
from worker.sudoku.board import Board, Marks
from worker.sudoku.lanes.board import CELLS, Grid
from worker.sudoku.lanes.board import SIDE as LANES_SIDE
from worker.sudoku.lanes.search import enter
from worker.sudoku.lanes.search import run as run_in_lanes
from worker.sudoku.lay_out import lay_out, lay_out_contradiction
from worker.sudoku.presolve import CONTRADICTION, NOTHING, presolve

compare_pairs_first = compiled(compare_pairs)

#: how far a grid is
FRESH = 1  #: its search has not begun
SEARCHING = 2  #: its search has begun
LEFT = 3  #: its search has stopped, and goes on elsewhere
WRITING = 4  #: its search has ended, and its solutions are to be written

_INT = np.int64
#: the result of one grid
Report: Any = record(
    ("status", _INT),  # why the search stopped, a constant of `stops`
    ("found", _INT),  # solutions found
    ("kept", _INT),  # solutions written to `Grids.kept`
    ("nodes", _INT),  # options chosen by the search
    ("ns", _INT),  # CPU time, in nanoseconds
    ("wall_ns", _INT),  # wall time, in nanoseconds
)


class Grids(NamedTuple):
    """Many grids of one size, and their results."""

    given: NDArray[np.uint8]  #: per grid and cell: the clue, 0 if there is none
    report: Record  #: per grid: a `Report`
    kept: NDArray[np.uint8]  #: a solution per row, symbols from 1, one grid after the other


#: the tables of a search: lanes for 9x9 grids, links for all others
Tables = TypeVar("Tables", Grid, Links)


class Memory(NamedTuple, Generic[Tables]):
    """What the search of one grid after the other reads and writes."""

    board: Board
    marks: Marks
    tables: Tables
    search: Search


def new_grids(given: NDArray[np.uint8], rows: int) -> Grids:
    """Return grids without results, and room for `rows` solutions."""
    report = np.zeros(len(given), Report)
    return Grids(given, report, np.zeros((rows, given.shape[1]), np.uint8))


@inlined
def begin_in_lanes(memory: Memory[Grid], given: NDArray[np.uint8], _weight: Integers) -> None:
    """Enter the clues of a 9x9 grid."""
    enter(memory.tables, given)


@inlined
def go_on_in_lanes(
    memory: Memory[Grid], terms: Terms, weight: Integers, pause: Int, deadline: Int
) -> Int:
    """Continue the search of a 9x9 grid, and return why it stopped."""
    return run_in_lanes(memory.tables, memory.search, terms, weight, pause, deadline)


@compiled
def begin(memory: Memory[Links], given: NDArray[np.uint8], weight: Integers) -> None:
    """Presolve a grid, and lay out what is left of it."""
    board, marks, links = memory.board, memory.marks, memory.tables
    found = presolve(board, marks, given)
    if found == CONTRADICTION:
        lay_out_contradiction(links)
    elif found == NOTHING:
        lay_out(board, marks, links, weight)
    else:
        links.left[0] = links.right[0] = 0


@inlined
def go_on(memory: Memory[Links], terms: Terms, _weight: Integers, pause: Int, deadline: Int) -> Int:
    """Continue the search of a grid, and return why it stopped."""
    return run(memory.tables, memory.search, terms, pause, deadline)


@compiled
def start_search(search: Search, node_limit: Int) -> None:
    """Let a search start from the root, with nothing found."""
    state = search.state
    state.found = state.kept = state.nodes = state.revisits = state.started = state.level = 0
    state.budget, state.listed, state.node_limit = UNBOUNDED, ZERO, node_limit
    compare_pairs_first(search)


@inlined
def stage_after(stage: Int, status: Int, prune: bool) -> Int:
    """Return a grid's stage after a search that stopped for this reason.

    A search for the best score that ends early has proven nothing.
    """
    if status == stops.NODE_LIMITED or status == stops.MANY or (prune and status == stops.LIMITED):  # noqa: PLR1714 # `in` compiles a loop
        return LEFT
    return stage if status == stops.PAUSED or status == stops.FULL else WRITING  # noqa: PLR1714


@inlined
def write_in_lanes(memory: Memory[Grid], slot: Int, symbols: NDArray[np.uint8]) -> None:
    """Write a kept solution, which has an option for each cell in turn."""
    options = memory.search.kept.options[slot]
    for cell in range(CELLS):
        symbols[cell] = options[cell] - cell * LANES_SIDE + 1


@inlined
def write(memory: Memory[Links], slot: Int, symbols: NDArray[np.uint8]) -> None:
    """Write a kept solution: the symbols that the presolve has placed, then those of the search."""
    kept, candidates = memory.search.kept, memory.marks.candidates
    side = Unsigned(memory.board.units.shape[1])
    for cell in range(candidates.size):
        symbols[cell] = lowest_bit(candidates[cell]) + ONE
    for k in range(kept.length[slot]):
        option = kept.options[slot, k]
        symbols[option // side] = option % side + ONE


def solver(
    begin: Callable[[Memory[Tables], NDArray[np.uint8], Integers], None],
    go_on: Callable[[Memory[Tables], Terms, Integers, Int, Int], Int],
    write: Callable[[Memory[Tables], Int, NDArray[np.uint8]], None],
) -> Callable[..., tuple[Int, Int, Int, Int]]:
    """Return a function that solves many grids.

    The arguments lay a grid out, search it, and write one of its solutions.
    """

    @compiled
    def write_solutions(memory: Memory[Tables], grids: Grids, row: Int) -> None:
        """Write the kept solutions, the best first, to the rows of `grids` from this one on."""
        search = memory.search
        sort(search.kept, search.state.kept)
        for place in range(search.state.kept):
            write(memory, search.kept.heap[place], grids.kept[row + place])

    @compiled
    def solve_each(
        memory: Memory[Tables],
        grids: Grids,
        weight: Integers,
        terms: Terms,
        prune: bool,
        at: Int,
        row: Int,
        stage: Int,
        node_limit: Int,
        slice_ns: Int,
        timeout_ns: Int,
    ) -> tuple[Int, Int, Int, Int]:
        """Solve grids from number `at` on, which is at `stage`, and write solutions from `row` on.

        Stop when the slice is over, or when Python must make room or decide how to go on. Return
        the grid to continue with, the next free row, the grid's stage, and why the last search
        stopped. The search of a grid goes on elsewhere after `node_limit` nodes.
        """
        search, state = memory.search, memory.search.state
        began = start(search.clock)
        pause = began + slice_ns
        status = stops.EXHAUSTED
        while at < grids.given.shape[0]:
            report = grids.report[at]
            if stage == FRESH:
                start_search(search, node_limit)
                begin(memory, grids.given[at], weight)
                stage = SEARCHING
            if stage == SEARCHING:
                deadline = began + timeout_ns - report.wall_ns
                status = go_on(memory, terms, weight, pause, deadline)
                stage = stage_after(stage, status, prune)
                report.status, report.nodes = status, state.nodes
            has_room = row + state.kept <= grids.kept.shape[0]
            if stage == WRITING and has_room:
                write_solutions(memory, grids, row)
                report.found, report.kept = state.found, state.kept
                row += state.kept
            ended = now(search.clock)
            report.ns += time_run(search.clock, began, ended)
            report.wall_ns += ended - began
            began = ended
            if stage != WRITING or not has_room:
                break
            at += 1
            stage = FRESH
            if began >= pause or row == grids.kept.shape[0]:
                break
        return at, row, stage, status

    return solve_each


each_in_lanes = solver(begin_in_lanes, go_on_in_lanes, write_in_lanes)
each = solver(begin, go_on, write)


@entry(exact_cover.__file__, __file__)
def solve_in_lanes(*given: Any) -> Any:
    """Solve 9x9 grids; the arguments are those of `solve_each` from `memory` on."""
    return each_in_lanes(*given)


@entry(exact_cover.__file__, __file__)
def solve_grids(*given: Any) -> Any:
    """Solve grids of any size, in the same way."""
    return each(*given)


@entry(exact_cover.__file__, __file__)
def presolve_grid(board: Board, marks: Marks, values: NDArray[np.uint8]) -> Int:
    """Find out what the values of one grid imply; see `presolve`."""
    return presolve(board, marks, values)

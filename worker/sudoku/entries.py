"""The compiled functions of this package that Python calls."""

from pathlib import Path
from typing import Any

from worker.compiling import jit
from worker.compiling.clock import now, start, time_run
from worker.compiling.jit import (
    ONE,
    ZERO,
    Int,
    Integers,
    Unsigned,
    compiled,
    entry,
    inlined,
    lowest_bit,
    source_digest,
)
from worker.exact_cover import cover
from worker.exact_cover.layout import Links
from worker.exact_cover.search import run
from worker.exact_cover.solutions import sort
from worker.exact_cover.state import (
    EXHAUSTED,
    FULL,
    LIMITED,
    NODE_LIMITED,
    PAUSED,
    UNBOUNDED,
    UNLIMITED,
    Search,
    Terms,
    compare_pairs,
    start_round,
)
from worker.sudoku.board import Board, Marks
from worker.sudoku.grids import (
    FRESH,
    IN_LANES,
    IN_ROUND,
    NEW_ROUND,
    PRESOLVING,
    SEARCHING,
    WRITING,
    Grids,
    Round,
)
from worker.sudoku.lanes.cover import enter
from worker.sudoku.lanes.memory import Grid
from worker.sudoku.lanes.search import run as run_in_lanes
from worker.sudoku.lanes.take_over import take_over
from worker.sudoku.lay_out import (
    Scoring,
    first_multipliers,
    lay_out,
    lay_out_contradiction,
)
from worker.sudoku.presolving.presolve import presolve
from worker.sudoku.presolving.singles import CONTRADICTION, NOTHING

#: nodes of a first search for the best score, which takes as long as better multipliers
TRIAL_NODES = 1 << 14

start_compiled_round = compiled(start_round)
compare_pairs_first = compiled(compare_pairs)


@compiled
def start_grid(
    board: Board,
    marks: Marks,
    links: Links,
    grids: Grids,
    scoring: Scoring,
    terms: Terms,
    at: Int,
) -> None:
    """Presolve a grid, and lay out what is left of it."""
    report = grids.report[at]
    report.dual = 0
    found = presolve(board, marks, grids.given[at])
    if found == CONTRADICTION:
        lay_out_contradiction(links)
    else:
        if terms.costly:
            report.dual = first_multipliers(marks, scoring, board.units.shape[1])
        if found == NOTHING:
            lay_out(board, marks, links, scoring, marks.candidates, UNBOUNDED, terms.costly)
        else:
            links.left[0] = links.right[0] = 0
    report.bound = report.dual


@compiled
def start_search(search: Search, terms: Terms) -> None:
    """Let a search start from the root, with nothing found."""
    state = search.state
    state.found = state.kept = state.nodes = state.revisits = state.started = state.level = 0
    state.budget, state.listed = UNBOUNDED, ZERO
    state.node_limit = TRIAL_NODES if terms.prune else UNLIMITED
    compare_pairs_first(search)


@compiled
def start_in_lanes(
    grid: Grid, search: Search, grids: Grids, terms: Terms, node_limit: Int, at: Int
) -> None:
    """Enter the clues of a grid, and set up its search in lanes."""
    report = grids.report[at]
    report.dual = report.bound = 0
    enter(grid, grids.given[at])
    start_search(search, terms)
    search.state.node_limit = TRIAL_NODES if terms.costly else node_limit


@inlined
def stage_after(stage: Int, status: Int, terms: Terms) -> tuple[Int, Int]:
    """Return a grid's stage after a search that stopped for this reason, and the reason.

    A search in lanes that does not end goes on as a general search: it can be divided, and has
    budgets. The first search for the best score proves it if it exhausts the grid; else it was a
    trial.
    """
    if stage == IN_LANES and (status == NODE_LIMITED or (terms.costly and status > EXHAUSTED)):
        return PRESOLVING, status
    if stage == SEARCHING and terms.prune and status == LIMITED:
        return stage, NODE_LIMITED
    goes_on = status == PAUSED or status == FULL or status == NODE_LIMITED  # noqa: PLR1714
    return stage if goes_on or stage == IN_ROUND else WRITING, status


@compiled
def start_grid_round(
    board: Board,
    marks: Marks,
    links: Links,
    search: Search,
    scoring: Scoring,
    terms: Terms,
    round_: Round,
) -> None:
    """Lay out the grid again for a round, and set up its search."""
    lay_out(board, marks, links, scoring, round_.candidates, round_.reach, True)
    start_compiled_round(search, terms, round_.reach, round_.node_limit)


@compiled
def write_solutions(board: Board, marks: Marks, search: Search, grids: Grids, row: Int) -> None:
    """Write the kept solutions, the best first, to the rows of `grids` from this one on."""
    kept, side = search.kept, Unsigned(board.units.shape[1])
    sort(kept, search.state.kept)
    for place in range(search.state.kept):
        symbols, slot = grids.kept[row + place], kept.heap[place]
        if kept.length[slot] < marks.candidates.size:  # the presolve has placed the others
            for cell in range(marks.candidates.size):
                symbols[cell] = lowest_bit(marks.candidates[cell]) + ONE
        for k in range(kept.length[slot]):
            option = kept.options[slot, k]
            symbols[option // side] = option % side + ONE
        grids.cost[row + place] = kept.cost[slot]


def _solve_grids(sources: int) -> Any:
    @entry
    def solve_grids(
        lanes: Grid,
        board: Board,
        marks: Marks,
        links: Links,
        search: Search,
        grids: Grids,
        scoring: Scoring,
        terms: Terms,
        first: Terms,
        at: Int,
        row: Int,
        stage: Int,
        round_: Round,
        lane_nodes: Int,
        slice_ns: Int,
        timeout_ns: Int,
    ) -> tuple[Int, Int, Int, Int]:
        _ = sources
        state = search.state
        began = start(search.clock)
        pause = began + slice_ns
        status = EXHAUSTED
        while at < grids.given.shape[0]:
            report = grids.report[at]
            if stage == FRESH and lanes.mask.size:
                start_in_lanes(lanes, search, grids, terms, lane_nodes, at)
                stage = IN_LANES
            elif stage == FRESH or stage == PRESOLVING:  # noqa: PLR1714, SIM109 # `in` compiles a loop
                start_grid(board, marks, links, grids, scoring, terms, at)
                if stage == FRESH:
                    start_search(search, terms)
                else:
                    take_over(lanes, marks, links, search, terms, report.dual)
                stage = SEARCHING
            elif stage == NEW_ROUND:
                start_grid_round(board, marks, links, search, scoring, terms, round_)
                stage = IN_ROUND
            if stage != WRITING:
                deadline = began + timeout_ns - report.wall_ns
                if stage == IN_LANES:
                    status = run_in_lanes(lanes, search, first, scoring.weight, pause, deadline)
                else:
                    asked = first if stage == SEARCHING else terms
                    status = run(links, search, asked, pause, deadline)
                stage, status = stage_after(stage, status, terms)
                report.status, report.nodes = status, state.nodes
            has_room = row + state.kept <= grids.kept.shape[0]
            if stage == WRITING and has_room:
                write_solutions(board, marks, search, grids, row)
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
            if began >= pause:
                break
        return at, row, stage, status

    return solve_grids


def _prepare_grid(sources: int) -> Any:
    @entry
    def prepare_grid(
        board: Board,
        marks: Marks,
        links: Links,
        search: Search,
        grids: Grids,
        scoring: Scoring,
        terms: Terms,
        multiplier: Integers,
        reach: Int,
    ) -> None:
        _ = sources
        start_grid(board, marks, links, grids, scoring, terms, 0)
        start_search(search, terms)
        search.state.node_limit = UNLIMITED
        if terms.costly:
            for item in range(multiplier.size):
                scoring.multiplier[item] = multiplier[item]
            lay_out(board, marks, links, scoring, marks.candidates, reach, True)

    return prepare_grid


#: a digest of all sources that the entries depend on
SOURCES = source_digest(*(Path(file).parent for file in (jit.__file__, cover.__file__, __file__)))
#: Solve grids from number `at` on, which is at `stage`, and write solutions from `row` on. Stop
#: when the slice is over, or when Python must make room or decide how to go on. Return the grid to
#: continue with, the next free row, the grid's stage, and why the last search stopped.
solve_grids = _solve_grids(SOURCES)
#: Lay out the first grid for the search of a part, with these multipliers if scores count, and
#: without options that cost more than `reach`.
prepare_grid = _prepare_grid(SOURCES)

"""Algorithm X on the lanes of a 9x9 grid.

It is the search of `worker.exact_cover.search` without budgets: an item with one option left is
covered at once, and it is no guess. Only where there is none, locked candidates are excluded; only
where these exclude nothing, the search branches. A level is left by copying its snapshot back.
"""

from worker.compiling.jit import compiled, copy, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.search import GOING_ON, look_at_clock
from worker.exact_cover.solutions import is_full, is_wanted, next_slot, rank
from worker.exact_cover.state import Search, Terms
from worker.sudoku.lanes.board import CELL_LANES, CELLS, LANES, SIDE, Grid
from worker.sudoku.lanes.branch import smallest
from worker.sudoku.lanes.cover import choose, exclude, first_option, first_single, survey

_LANES, _OPTIONS = Unsigned(LANES), Unsigned((1 << SIDE) - 1)


@inlined
def save(grid: Grid, level: Int, item: Int) -> None:
    """Save the items before a guess, and which options of this item are to be tried after it."""
    options = Unsigned(grid.mask[item]) & _OPTIONS
    grid.branch[level], grid.rest[level] = item, options & (options - ONE)
    copy(grid.mask, ZERO, grid.snapshots, Unsigned(level) * _LANES, _LANES)


@inlined
def go_back(grid: Grid, level: Int) -> tuple[Int, Int, bool]:
    """Undo everything since the guess of this level.

    Return the cell and the symbol of the next option to try, and whether it is the last one.
    """
    copy(grid.snapshots, Unsigned(level) * _LANES, grid.mask, ZERO, _LANES)
    rest = Unsigned(grid.rest[level])
    cell, symbol = first_option(grid, Unsigned(grid.branch[level]), rest)
    rest &= rest - ONE
    grid.rest[level] = rest
    return cell, symbol, bool(rest == ZERO)


@compiled
def visit_solution(grid: Grid, search: Search, terms: Terms, weight: Integers) -> Int:
    """Count a solution, and keep it if it is wanted; return FULL, LIMITED or GOING_ON.

    Every open item has one option left. A solution costs what it scores, negated.
    """
    state = search.state
    if is_full(search, terms):
        return stops.FULL
    state.found += 1
    if state.kept < terms.wanted or terms.costly:
        complete(grid)
        cost = -score(grid, weight)
        if is_wanted(search, terms, cost):
            slot = next_slot(search, terms)
            for cell in range(CELLS):
                search.kept.options[slot, cell] = cell * SIDE + grid.symbols[cell]
            rank(search, terms, slot, CELLS, cost)
    return stops.LIMITED if state.found == terms.limit else GOING_ON


@inlined
def complete(grid: Grid) -> None:
    """Write the symbols of the open cells, which have one left."""
    for cell in range(Unsigned(CELLS)):
        left = Unsigned(grid.mask[Unsigned(CELL_LANES) + cell]) & _OPTIONS
        if left != ZERO:
            grid.symbols[cell] = lowest_bit(left)


@inlined
def score(grid: Grid, weight: Integers) -> Int:
    """Return the sum of weight times symbol, counted from 1, of a complete grid."""
    total = weight[0] * 0
    for cell in range(CELLS):
        total += weight[cell] * (grid.symbols[cell] + 1)
    return total


@compiled
def run(
    grid: Grid, search: Search, terms: Terms, weight: Integers, pause: Int, deadline: Int
) -> Int:
    """Continue the search of a grid, and return why it stopped, as `exact_cover.search.run` does.

    Nodes are counted from the first guess on: options that the clues force take no search.
    """
    state, mask = search.state, grid.mask
    level, visited = state.level, state.nodes
    next_check = entered = visited
    dead, several = survey(grid)
    while True:
        status = GOING_ON
        if visited >= next_check:
            state.nodes = visited
            status = look_at_clock(search, entered, pause, deadline)
            next_check = visited + state.clock_interval
        if status == GOING_ON and dead | several == ZERO:
            status = visit_solution(grid, search, terms, weight)
        if status != GOING_ON:
            state.level, state.nodes = level, visited
            return status
        if dead != ZERO or several == ZERO:
            if level == 0:
                state.nodes = visited
                return stops.EXHAUSTED
            cell, symbol, is_last = go_back(grid, level)
            level -= is_last
        else:
            item = first_single(grid)
            if item == _LANES:
                found, dead, several = exclude(grid)
                if found:
                    continue
                item = smallest(grid)
                level += 1
                save(grid, level, item)
            cell, symbol = first_option(grid, item, mask[item])
        visited += 1 if level + visited > 0 else 0
        dead, several = choose(grid, cell, symbol)

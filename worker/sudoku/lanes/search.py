"""The search of a 9x9 grid in lanes.

Whatever the candidates imply is excluded; then the search branches, on the configurations of a
symbol in a band. A level is left by copying its snapshot back. It is the search of
`worker.exact_cover.search` with other items to branch on, and without budgets.
"""

from numpy import uint8
from numpy.typing import NDArray

from worker.compiling.jit import compiled, copy, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.search import GOING_ON, look_at_clock
from worker.exact_cover.solutions import is_full, is_wanted, next_slot, rank
from worker.exact_cover.state import Search, Terms
from worker.sudoku.lanes.board import CELLS, CONFIGURATIONS, LANES, SIDE, Grid
from worker.sudoku.lanes.branch import branch
from worker.sudoku.lanes.propagate import DEAD, SEVERAL, propagate

_LANES, _CONFIGURATIONS = Unsigned(LANES), Unsigned(CONFIGURATIONS)


@compiled
def enter(grid: Grid, given: NDArray[uint8]) -> None:
    """Start from the clues."""
    for cell in range(Unsigned(CELLS)):
        grid.mask[grid.places[cell]] = grid.clue[given[cell]]


@inlined
def save(grid: Grid, level: Int) -> None:
    """Save the candidates before a guess."""
    copy(grid.mask, ZERO, grid.snapshots, level * _LANES, _LANES)


@inlined
def guess(grid: Grid, level: Int) -> Int:
    """Undo the last guess of a level, if any, and make the next; return 1 if no other is left."""
    rest, outside = Unsigned(grid.rest[level]), grid.outside
    number = Unsigned(grid.branch[level]) * _CONFIGURATIONS + lowest_bit(rest)
    rest &= rest - ONE
    saved, row, symbol = level * _LANES, number * _LANES, grid.symbol[level]
    for lane in range(_LANES):
        excluded = outside[row + lane] & symbol
        grid.mask[lane] = grid.snapshots[saved + lane] & ~excluded
    grid.rest[level] = rest
    return Unsigned(rest == ZERO)


@compiled
def visit_solution(grid: Grid, search: Search, terms: Terms, weight: Integers) -> Int:
    """Count a solution, and keep it if it is wanted; return FULL, LIMITED or GOING_ON.

    Every cell has one candidate left. A solution costs what it scores, negated.
    """
    state = search.state
    if is_full(search, terms):
        return stops.FULL
    state.found += 1
    if state.kept < terms.wanted or terms.costly:
        cost = -score(grid, weight) if terms.costly else 0
        if is_wanted(search, terms, cost):
            slot = next_slot(search, terms)
            for cell in range(CELLS):
                search.kept.options[slot, cell] = cell * SIDE + symbol_of(grid, cell)
            rank(search, terms, slot, CELLS, cost)
    return stops.LIMITED if state.found == terms.limit else GOING_ON


@inlined
def symbol_of(grid: Grid, cell: Int) -> Int:
    """Return the symbol of a cell with one candidate, from 0."""
    return lowest_bit(Unsigned(grid.mask[grid.places[cell]]))


@inlined
def score(grid: Grid, weight: Integers) -> Int:
    """Return the sum of weight times symbol, counted from 1, of a complete grid."""
    total = weight[0] * 0
    for cell in range(CELLS):
        total += weight[cell] * (symbol_of(grid, cell) + 1)
    return total


@compiled
def run(
    grid: Grid, search: Search, terms: Terms, weight: Integers, pause: Int, deadline: Int
) -> Int:
    """Continue the search of a grid, and return why it stopped, as `exact_cover.search.run` does.

    Nodes are the guesses.
    """
    state = search.state
    level, visited = Unsigned(state.level), state.nodes
    next_check = entered = visited
    while True:
        signs, status = propagate(grid), GOING_ON
        if visited >= next_check:
            state.nodes = visited
            status = look_at_clock(search, entered, pause, deadline)
            next_check = visited + state.clock_interval
        is_open = signs & SEVERAL != ZERO
        if status == GOING_ON and signs & (DEAD | SEVERAL) == ZERO:
            status = visit_solution(grid, search, terms, weight)
        if status != GOING_ON:
            state.level, state.nodes = level, visited
            return status
        if signs & DEAD == ZERO and is_open:
            level += ONE
            save(grid, level)
            branch(grid, level)
        elif level == ZERO:
            state.nodes = visited
            return stops.EXHAUSTED
        level -= guess(grid, level)
        visited += 1

"""Other solutions that are near at hand: two symbols exchanged, or two lines, in a part of a grid.

The cells of two symbols fall into parts that no row, column or box connects, and in each part the
two can be exchanged.  So can two rows of a band in columns where both have the same symbols, and
two columns of a stack.  A part with one clue shows that this clue is necessary: the exchange is its
witness.  About half of the clues of minimal puzzles have one, and need no search.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.entry import entry
from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.facts.singles import Words
from worker.sudoku.symbols import BOXES


class Exchanges(NamedTuple):
    """The pairs of cells whose symbols are exchanged, and which pairs go together."""

    height: Unsigned  #: of a box
    width: Unsigned
    cells: Words  #: by pair: its two cells
    linked: Words  #: by pair: a bit for each pair that must be exchanged with it
    places: Words  #: by symbol and row: the cell that has it
    rows: Words  #: by symbol and column, then box: a bit for the row in which it has the symbol


def new_exchanges(side: int) -> Exchanges:
    """Return memory for grids of this side."""
    return Exchanges(
        Unsigned(BOXES[side].height),
        Unsigned(BOXES[side].width),
        np.zeros((side, 2), np.uint64),
        np.zeros(side, np.uint64),
        np.zeros((side + 1, side), np.uint64),
        np.zeros((side + 1, 2 * side), np.uint64),
    )


@inlined
def box(memory: Exchanges, cell: Int) -> Int:
    """Return the number of a cell's box."""
    side = Unsigned(memory.linked.size)
    return cell // side // memory.height * memory.height + cell % side // memory.width


@inlined
def link_symbols(memory: Exchanges, one: Int, other: Int) -> None:
    """Pair the cells of two symbols by rows; link rows by columns and boxes."""
    places, rows, side = memory.places, memory.rows, Unsigned(memory.linked.size)
    for row in range(side):
        first, second = places[one, row], places[other, row]
        memory.cells[row, 0], memory.cells[row, 1] = first, second
        links = rows[other, first % side] | rows[other, side + box(memory, first)]
        memory.linked[row] = (
            links | rows[one, second % side] | rows[one, side + box(memory, second)]
        )


@inlined
def link_lines(
    memory: Exchanges, grid: NDArray[np.uint8], start: Int, step: Int, across: Int
) -> None:
    """Pair the cells of two lines that `step` separates; link those that have the same symbol.

    Overwrites the places of symbols.
    """
    side = Unsigned(memory.linked.size)
    for k in range(side):
        memory.cells[k, 0] = start + k * across
        memory.cells[k, 1] = start + step + k * across
        memory.places[grid[start + k * across], 0] = k
    for k in range(side):
        memory.linked[k] = ONE << memory.places[grid[start + step + k * across], 0]


@compiled
def exchange(
    memory: Exchanges,
    given: NDArray[np.uint8],
    grid: NDArray[np.uint8],
    number: NDArray[np.int64],
    witness: NDArray[np.uint8],
) -> None:
    """Write a witness for the only clue of each part that has one; `number` is -1 where it has."""
    cells, linked = memory.cells, memory.linked
    left = (ONE << Unsigned(linked.size)) - ONE
    while left != ZERO:
        part, new = ZERO, left & (~left + ONE)
        clues, only = ZERO, ZERO
        while new != ZERO:
            pair = lowest_bit(new)
            part |= ONE << pair
            new = (new | linked[pair]) & ~part
            for k in range(2):
                if given[cells[pair, k]] != 0:
                    clues, only = clues + ONE, cells[pair, k]
        left &= ~part
        if clues == ONE and number[only] >= 0:
            found = witness[number[only]]
            number[only] = -1
            for cell in range(Unsigned(grid.size)):
                found[cell] = grid[cell]
            while part != ZERO:
                pair = lowest_bit(part)
                part &= part - ONE
                found[cells[pair, 0]] = grid[cells[pair, 1]]
                found[cells[pair, 1]] = grid[cells[pair, 0]]


@entry(__file__)
def find_exchanges(
    memory: Exchanges,
    given: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    number: NDArray[np.int64],
    witness: NDArray[np.uint8],
) -> None:
    """Write witnesses of clues, given by puzzle and cell, where an exchange is one.

    `number` has the row of `witness` of each clue, and is -1 afterwards where one was written.
    Puzzles without a solution have zeros.
    """
    side, height, width = Unsigned(memory.linked.size), memory.height, memory.width
    for at in range(given.shape[0]):
        grid = solutions[at]
        if grid[0] == 0:
            continue
        for cell in range(Unsigned(grid.size)):
            row, symbol = cell // side, grid[cell]
            memory.places[symbol, row] = cell
            memory.rows[symbol, cell % side] = ONE << row
            memory.rows[symbol, side + box(memory, cell)] = ONE << row
        for one in range(ONE, side + ONE):
            for other in range(one + ONE, side + ONE):
                link_symbols(memory, one, other)
                exchange(memory, given[at], grid, number[at], witness)
        for line in range(side):
            for next_line in range(line + ONE, line // height * height + height):
                link_lines(memory, grid, line * side, (next_line - line) * side, ONE)
                exchange(memory, given[at], grid, number[at], witness)
            for next_line in range(line + ONE, line // width * width + width):
                link_lines(memory, grid, line, next_line - line, side)
                exchange(memory, given[at], grid, number[at], witness)


def warm_up() -> None:
    """Compile the search for exchanges, or load it from the cache."""
    grids = np.zeros((1, 16), np.uint8)
    find_exchanges(new_exchanges(4), grids, grids, np.zeros((1, 16), np.int64), grids)

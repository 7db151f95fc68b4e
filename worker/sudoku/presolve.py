"""What the clues of a grid imply by singles and locked candidates, on bit masks.

Only the cells that this leaves open become an exact cover problem to search.

A *naked single* is the only candidate of a cell, a *hidden single* a symbol with one cell in a
unit. *Locked candidates* are confined to the cells that a line and a box have in common: if a
symbol's cells in a box all lie in one line, the line has it nowhere else ("pointing"); if its cells
in a line all lie in one box, the box has it nowhere else ("claiming").
"""

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, THREE, ZERO, Int, Unsigned
from worker.sudoku.board import Board, Marks

#: what a deduction found: nothing, something, that every cell is filled, or a contradiction
NOTHING, PROGRESS, SOLVED, CONTRADICTION = 0, 1, 2, 3


@compiled
def presolve(board: Board, marks: Marks, given: NDArray[np.uint8]) -> Int:
    """Enter the clues of a grid and everything that follows from them.

    Return NOTHING if cells are open, SOLVED if none is, or CONTRADICTION.
    """
    stacked, clash = enter_clues(board, marks, given)
    if clash or not place_stacked(board, marks, stacked):
        return CONTRADICTION
    found = PROGRESS
    while found == PROGRESS:
        found = hidden_singles(board, marks)
        if found == NOTHING:
            found = locked_candidates(board, marks)
    return found


@compiled
def enter_clues(board: Board, marks: Marks, given: NDArray[np.uint8]) -> tuple[Int, bool]:
    """Enter the clues, and return the height of the stack and whether two clues clash.

    The other cells with one candidate, or with none, are stacked. All clues are entered at once:
    to place them one by one takes as long as the whole presolve.
    """
    cells, candidates, placed = board.cells, marks.candidates, marks.placed
    stacked, clash = ZERO, ZERO
    full = (ONE << Unsigned(board.units.shape[1])) - ONE
    placed[:] = 0
    for cell in range(Unsigned(given.size)):
        clue = (ONE << Unsigned(given[cell])) >> ONE
        candidates[cell] = clue
        for k in range(THREE):
            clash |= placed[cells[cell, k]] & clue
            placed[cells[cell, k]] |= clue
    for cell in range(Unsigned(given.size)):
        row, column, box = cells[cell, 0], cells[cell, 1], cells[cell, 2]
        clue = candidates[cell]
        left = clue if clue else full & ~(placed[row] | placed[column] | placed[box])
        candidates[cell] = left
        marks.stack[stacked] = cell
        stacked += Unsigned((clue == ZERO) & (left & (left - ONE) == ZERO))
    return stacked, clash != ZERO


@inlined
def remove(marks: Marks, cell: Int, symbols: Int, stacked: Int) -> Int:
    """Remove candidates from a cell, and push the cell if that leaves it with one, or with none.

    Return the height of the stack. Like `hide`, it has no branch.
    """
    before = marks.candidates[cell]
    left = before & ~symbols
    marks.candidates[cell] = left
    marks.stack[stacked] = cell
    return stacked + Unsigned((left != before) & (left & (left - ONE) == ZERO))


@compiled
def place_stacked(board: Board, marks: Marks, stacked: Int) -> bool:
    """Naked singles: place the only candidate of each stacked cell, and of those that follow.

    Return False if a cell has no candidate left.
    """
    cells, candidates, placed, stack = board.cells, marks.candidates, marks.placed, marks.stack
    row_column_box, peers = THREE, Unsigned(cells.shape[1])
    while stacked != ZERO:
        stacked -= ONE
        cell = stack[stacked]
        symbol = candidates[cell]
        if symbol == ZERO:
            return False
        for k in range(row_column_box):
            placed[cells[cell, k]] |= symbol
        for k in range(row_column_box, peers):
            stacked = remove(marks, cells[cell, k], symbol, stacked)
    return True


@inlined
def hidden_in(board: Board, marks: Marks, unit: Int, full: Int) -> Int:
    """Return the symbols that have one cell in a unit; more than `full` if a symbol has none."""
    units, candidates = board.units, marks.candidates
    once = twice = ZERO
    for k in range(Unsigned(units.shape[1])):
        symbols = candidates[units[unit, k]]
        twice |= once & symbols
        once |= symbols
    return once & ~twice if once == full else ~ZERO


@compiled
def hidden_singles(board: Board, marks: Marks) -> Int:
    """Place the symbols that have one cell left in a unit, and the naked singles that follow.

    Return what that found, as a constant of this module.
    """
    units, candidates, stack = board.units, marks.candidates, marks.stack
    side, found = Unsigned(units.shape[1]), SOLVED
    full = Unsigned((ONE << side) - ONE)
    for unit in range(Unsigned(units.shape[0])):
        if marks.placed[unit] == full:
            continue
        symbols = hidden_in(board, marks, unit, full)
        if symbols > full:
            return CONTRADICTION
        if found == SOLVED:
            found = NOTHING
        symbols &= ~marks.placed[unit]
        if symbols == ZERO:
            continue
        stacked = clash = ZERO
        for k in range(side):
            cell = units[unit, k]
            single = candidates[cell] & symbols
            clash |= single & (single - ONE) & symbols
            candidates[cell] = single if single else candidates[cell]
            stack[stacked] = cell
            stacked += Unsigned(single != ZERO)
        if clash or not place_stacked(board, marks, stacked):
            return CONTRADICTION
        found = PROGRESS
    return found


@compiled
def locked_candidates(board: Board, marks: Marks) -> Int:
    """Remove what locked candidates exclude, and place the naked singles that follow.

    Return NOTHING if no cell was left with one candidate, else PROGRESS or CONTRADICTION.
    """
    found, side = NOTHING, Unsigned(board.units.shape[1])
    lines, length, line = board.box_height, board.box_width, ZERO
    while line < side + side:
        stacked = lock_band(board, marks, line, lines, length)
        if not place_stacked(board, marks, stacked):
            return CONTRADICTION
        if stacked > 0:
            found = PROGRESS
        line += lines
        if line == side:  # the columns follow the rows
            lines, length = length, lines
    return found


@compiled
def lock_band(board: Board, marks: Marks, first_line: Int, order: Int, length: Int) -> Int:
    """Apply locked candidates to a band: `order` lines side by side, and the `order` boxes in them.

    A line and a box have `length` cells in common. Return how many cells that leaves with one
    candidate, or with none; they are stacked.
    """
    stacked = ZERO
    collect_crossings(board, marks, first_line, order, length)
    for line in range(order):
        for box in range(order):
            pointing, claiming = confined(marks, line, box, order)
            if pointing | claiming == ZERO:
                continue
            for k in range(order):
                if k != box:
                    stacked = remove_crossing(
                        board, marks, first_line + line, k * length, length, pointing, stacked
                    )
                if k != line:
                    stacked = remove_crossing(
                        board, marks, first_line + k, box * length, length, claiming, stacked
                    )
    return stacked


@inlined
def collect_crossings(board: Board, marks: Marks, first_line: Int, order: Int, length: Int) -> None:
    """Write the candidates that each line of a band has in common with each box."""
    for line in range(order):
        for box in range(order):
            symbols = ZERO
            for k in range(length):
                symbols |= marks.candidates[board.units[first_line + line, box * length + k]]
            marks.crossings[line * order + box] = symbols


@inlined
def confined(marks: Marks, line: Int, box: Int, order: Int) -> tuple[Int, Int]:
    """Return the symbols that the box has in this line only, then those the line has only here.

    The other boxes of the line exclude the former, the other lines of the box the latter.
    """
    in_line = in_box = ZERO
    for k in range(order):
        if k != box:
            in_line |= marks.crossings[line * order + k]
        if k != line:
            in_box |= marks.crossings[k * order + box]
    here = marks.crossings[line * order + box]
    return here & in_line & ~in_box, here & in_box & ~in_line


@inlined
def remove_crossing(
    board: Board, marks: Marks, line: Int, first: Int, length: Int, symbols: Int, stacked: Int
) -> Int:
    """Remove candidates from `length` cells of a line; return the height of the stack."""
    for k in range(first, first + length):
        stacked = remove(marks, board.units[line, k], symbols, stacked)
    return stacked

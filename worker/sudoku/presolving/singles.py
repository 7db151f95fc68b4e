"""Naked and hidden singles: cells with one candidate, and symbols with one cell in a unit."""

from worker.compiling.jit import ONE, THREE, ZERO, Int, Unsigned, compiled, inlined
from worker.sudoku.board import Board, Marks

#: what a deduction found: nothing, something, that every cell is filled, or a contradiction
NOTHING, PROGRESS, SOLVED, CONTRADICTION = 0, 1, 2, 3


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

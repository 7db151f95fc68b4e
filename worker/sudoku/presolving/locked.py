"""Locked candidates: symbols confined to the cells that a line and a box have in common.

If a symbol's cells in a box all lie in one line, the line has it nowhere else ("pointing"); if its
cells in a line all lie in one box, the box has it nowhere else ("claiming").
"""

from worker.compiling.jit import ZERO, Int, Unsigned, compiled, inlined
from worker.sudoku.board import Board, Marks
from worker.sudoku.presolving.singles import CONTRADICTION, NOTHING, PROGRESS, place_stacked, remove


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

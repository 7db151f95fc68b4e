"""Locked candidates: symbols confined to the cells that a line and a box have in common.

If a symbol's cells in a box all lie in one line, the line has it nowhere else ("pointing"); if its
cells in a line all lie in one box, the box has it nowhere else ("claiming").
"""

from worker.compiling.jit import ZERO, Int, Unsigned, compiled, inlined
from worker.sudoku.board import Board, Marks
from worker.sudoku.singles import CONTRADICTION, NOTHING, PROGRESS, place_stacked, remove


@compiled
def locked_candidates(board: Board, marks: Marks) -> Int:
    """Remove what locked candidates exclude, and place the naked singles that follow.

    Return NOTHING if no cell was left with one candidate, else PROGRESS or CONTRADICTION.
    """
    found, order = NOTHING, board.order
    for first_line in range(ZERO, Unsigned(2 * order * order), order):
        stacked = lock_band(board, marks, first_line)
        if not place_stacked(board, marks, stacked):
            return CONTRADICTION
        if stacked > 0:
            found = PROGRESS
    return found


@compiled
def lock_band(board: Board, marks: Marks, first_line: Int) -> Int:
    """Apply locked candidates to a band: `order` lines side by side, and the boxes they cross.

    Return how many cells that leaves with one candidate, or with none; they are stacked.
    """
    order, stacked = board.order, ZERO
    collect_crossings(board, marks, first_line)
    for line in range(order):
        for box in range(order):
            pointing, claiming = confined(marks, line, box, order)
            if pointing | claiming == ZERO:
                continue
            for k in range(order):
                if k != box:
                    stacked = remove_crossing(board, marks, first_line + line, k, pointing, stacked)
                if k != line:
                    stacked = remove_crossing(board, marks, first_line + k, box, claiming, stacked)
    return stacked


@inlined
def collect_crossings(board: Board, marks: Marks, first_line: Int) -> None:
    """Write the candidates that each line of a band has in common with each box."""
    order = board.order
    for line in range(order):
        for box in range(order):
            symbols = ZERO
            for k in range(order):
                symbols |= marks.candidates[board.units[first_line + line, box * order + k]]
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
    board: Board, marks: Marks, line: Int, box: Int, symbols: Int, stacked: Int
) -> Int:
    """Remove candidates from the cells of a line in one box; return the height of the stack."""
    order = board.order
    for k in range(order):
        stacked = remove(marks, board.units[line, box * order + k], symbols, stacked)
    return stacked

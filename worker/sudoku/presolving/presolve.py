"""What the clues of a grid imply by singles and locked candidates, on bit masks.

Only the cells that this leaves open become an exact cover problem to search.
"""

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import ONE, THREE, ZERO, Int, Unsigned, compiled
from worker.sudoku.board import Board, Marks
from worker.sudoku.presolving.locked import locked_candidates
from worker.sudoku.presolving.singles import (
    CONTRADICTION,
    NOTHING,
    PROGRESS,
    hidden_singles,
    place_stacked,
)


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

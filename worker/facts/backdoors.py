"""The fewest cells whose symbols, once known, let singles solve a puzzle: its *backdoor*.

(R. Williams, C. Gomes, B. Selman, Backdoors to Typical Case Complexity, 2003.)
"""

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Unsigned
from worker.facts.singles import Board, count_placed, is_single, place_singles
from worker.facts.trials import Memory, narrow

#: stands for the size of all backdoors of more than three cells
LARGE = 4


@inlined
def is_solved(board: Board) -> bool:
    """Return whether each cell has one candidate."""
    return bool(count_placed(board) == Unsigned(board.size))


@compiled
def place_each(memory: Memory) -> bool:
    """Place each symbol of the solution alone, with singles; return whether one solves the puzzle.

    The boards are the first trials of the puzzle, by cell instead of candidate.
    """
    board, lines = memory.boards[ZERO], memory.lines
    for cell in range(Unsigned(board.size)):
        placed = memory.trials[ZERO, ZERO, cell]
        for k in range(Unsigned(board.size)):
            placed[k] = board[k]
        placed[cell] = memory.solution[cell]
        place_singles(lines, placed, lines.units[cell])
        if is_solved(placed):
            return True
    return False


@compiled
def has_pair(memory: Memory, start: Board, first: Int) -> bool:
    """Return whether one more cell, from the first on, solves what a board has left open."""
    both = memory.boards[TWO]
    for cell in range(first, Unsigned(start.size)):
        if not is_single(Unsigned(start[cell])):
            dirty = narrow(memory, start, memory.trials[ZERO, ZERO, cell], both)
            place_singles(memory.lines, both, dirty)
            if is_solved(both):
                return True
    return False


@compiled
def backdoor(memory: Memory) -> Int:
    """Return the size of the backdoor of a puzzle that is closed under singles.

    It has one solution, which is in memory.  Trials are forgotten.
    """
    board = memory.boards[ZERO]
    if is_solved(board):
        return 0
    if place_each(memory):
        return 1
    for cell in range(Unsigned(board.size)):
        one = memory.trials[ZERO, ZERO, cell]
        if not is_single(Unsigned(board[cell])) and has_pair(memory, one, cell + ONE):
            return 2
    start = memory.boards[ONE]
    for cell in range(Unsigned(board.size)):
        for other in range(cell + ONE, Unsigned(board.size)):
            one = memory.trials[ZERO, ZERO, cell]
            if not (is_single(Unsigned(board[cell])) or is_single(Unsigned(one[other]))):
                dirty = narrow(memory, one, memory.trials[ZERO, ZERO, other], start)
                place_singles(memory.lines, start, dirty)
                if has_pair(memory, start, other + ONE):
                    return 3
    return LARGE

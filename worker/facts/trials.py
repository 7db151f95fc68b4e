"""Trial and error without guessing: what contradictions rule out, to a given depth.

A candidate is tried by placing it on a copy of the board.  At depth 1, the copy is closed under
singles, and if that is a contradiction, the candidate is excluded; then singles are placed, and the
others are tried again, until none is excluded.  At depth n, copies are closed under trials of depth
n - 1 instead.  The order makes no difference: a trial that fails fails on every smaller board.
So the depth of a puzzle, the least at which it is solved, is a fact that no symmetry changes
(D. Berthier, Pattern-Based Constraint Satisfaction, 2012: T&E).

A trial that does not fail is kept, and when it is repeated it goes on from there.  So a trial
within another one begins with what both have excluded.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.facts.singles import (
    Board,
    Lines,
    Words,
    is_single,
    lines,
    place_singles,
)

#: takes a candidate of a cell on a level's board; returns False if that fails
Trial = Callable[["Memory", Int, Int, Int], bool]
#: boards of trials within trials, below that of the puzzle
LEVELS = 2


class Memory(NamedTuple):
    """The boards of the puzzle, and of trials within each other: one level for each."""

    lines: Lines
    boards: NDArray[np.uint16]  #: by level and cell
    #: by depth at which it is closed, level, candidate and cell: the board of a trial
    trials: NDArray[np.uint16]
    known: NDArray[np.uint64]  #: by the same but the cell: the number of the board it comes from
    number: Words  #: by level: the number of its board; last, the last number used
    solution: Board  #: never excluded; 0 if it is not known


def new_memory(side: int) -> Memory:
    """Return memory for puzzles of this side."""
    cells, candidates, levels = side**2, side**3, LEVELS + 1
    return Memory(
        lines(side),
        np.zeros((levels, cells), np.uint16),
        np.zeros((2, levels, candidates, cells), np.uint16),
        np.zeros((2, levels, candidates), np.uint64),
        np.zeros(levels + 1, np.uint64),
        np.zeros(cells, np.uint16),
    )


@inlined
def renumber(memory: Memory, level: Int) -> None:
    """Forget the trials of a level, because another board begins."""
    last = Unsigned(memory.number.size - 1)
    memory.number[last] += ONE
    memory.number[level] = memory.number[last]


@inlined
def exclude(memory: Memory, level: Int, cell: Int, candidate: Int) -> bool:
    """Exclude a candidate, and place singles; return False for a contradiction."""
    board = memory.boards[level]
    board[cell] = Unsigned(board[cell]) & ~candidate
    return place_singles(memory.lines, board, memory.lines.units[cell])


@inlined
def narrow(memory: Memory, source: Board, board: Board, target: Board) -> Int:
    """Write what two boards have in common; return the units in which the first one has more."""
    lost, dirty = np.uint16(0), ZERO
    for k in range(Unsigned(board.size)):
        lost |= source[k] & ~board[k]
    if lost:
        for k in range(Unsigned(board.size)):
            dirty |= memory.lines.units[k] if source[k] & ~board[k] else ZERO
    for k in range(Unsigned(board.size)):
        target[k] = source[k] & board[k]
    return dirty


@compiled
def resume(memory: Memory, depth: Int, level: Int, cell: Int, candidate: Int) -> Int:
    """Begin a trial with what earlier ones have excluded; return the units in which it changed.

    These are all of its cell's if the candidate was not tried before.
    """
    board = memory.boards[level]
    number = cell * Unsigned(memory.lines.cells.shape[1]) + lowest_bit(candidate)
    trial = memory.trials[depth, level, number]
    source, known = level + ONE, memory.known[depth]
    while source > ZERO and known[source - ONE, number] != memory.number[source - ONE]:
        source -= ONE
    known[level, number] = memory.number[level]
    if source > ZERO:
        return narrow(memory, memory.trials[depth, source - ONE, number], board, trial)
    for k in range(Unsigned(board.size)):
        trial[k] = board[k]
    trial[cell] = candidate
    return memory.lines.units[cell]


@compiled
def try_singles(memory: Memory, level: Int, cell: Int, candidate: Int) -> bool:
    """Try a candidate with singles alone; return False if it fails."""
    dirty = resume(memory, ZERO, level, cell, candidate)
    number = cell * Unsigned(memory.lines.cells.shape[1]) + lowest_bit(candidate)
    return place_singles(memory.lines, memory.trials[ZERO, level, number], dirty)


@inlined
def left(memory: Memory, level: Int, cell: Int, rest: Int) -> Int:
    """Return which of these candidates of a cell are to be tried."""
    here = Unsigned(memory.boards[level, cell])
    if is_single(here):
        return ZERO
    return here & rest & (~Unsigned(memory.solution[cell]) if level == ZERO else ~ZERO)


def closing(attempt: Trial, drop: Trial) -> Callable[[Memory, Int], bool]:
    """Return a function that excludes what fails from a board, until nothing does.

    `attempt` tries a candidate, and `drop` excludes one that failed.  The function returns False
    for a contradiction.
    """

    @compiled
    def close(memory: Memory, level: Int) -> bool:
        cells, is_changed = Unsigned(memory.boards.shape[1]), True
        while is_changed:
            is_changed = False
            for cell in range(cells):
                rest = left(memory, level, cell, memory.lines.symbols)
                while rest != ZERO:
                    candidate = rest & (~rest + ONE)
                    rest ^= candidate
                    if not attempt(memory, level, cell, candidate):
                        is_changed = True
                        if not drop(memory, level, cell, candidate):
                            return False
                        rest = left(memory, level, cell, rest)
        return True

    return close


#: closes a board that is closed under singles at depth 1
close_1 = closing(try_singles, exclude)


@compiled
def exclude_at_depth_1(memory: Memory, level: Int, cell: Int, candidate: Int) -> bool:
    """Exclude a candidate, and what then fails at depth 1; return False for a contradiction."""
    return exclude(memory, level, cell, candidate) and close_1(memory, level)


@compiled
def try_depth_1(memory: Memory, level: Int, cell: Int, candidate: Int) -> bool:
    """Try a candidate with trials of depth 1, on a board that is closed at that depth."""
    number = cell * Unsigned(memory.lines.cells.shape[1]) + lowest_bit(candidate)
    trial = memory.trials[ONE, level, number]
    if resume(memory, ONE, level, cell, candidate) == ZERO:
        return True
    below = level + ONE
    board = memory.boards[below]
    # Closed under singles, but what trials have excluded before.
    dirty = narrow(memory, memory.trials[ZERO, level, number], trial, board)
    renumber(memory, below)
    if not place_singles(memory.lines, board, dirty) or not close_1(memory, below):
        return False
    for k in range(Unsigned(board.size)):
        trial[k] = board[k]
    return True


#: closes a board that is closed at depth 1 at depth 2
close_2 = closing(try_depth_1, exclude_at_depth_1)


@compiled
def try_depth_2(memory: Memory, level: Int, cell: Int, candidate: Int) -> bool:
    """Try a candidate with trials of depth 2, after `try_depth_1`."""
    below = level + ONE
    number = cell * Unsigned(memory.lines.cells.shape[1]) + lowest_bit(candidate)
    for k in range(Unsigned(memory.boards.shape[1])):
        memory.boards[below, k] = memory.trials[ONE, level, number, k]
    renumber(memory, below)
    return bool(close_1(memory, below) and close_2(memory, below))

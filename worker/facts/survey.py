"""The facts of many puzzles that singles and trials find: compiled up to depth 2, then in steps."""

from collections.abc import Generator

import numpy as np
from numpy.typing import NDArray

from worker.compiling.clock import CLOCK_SIZE, now, start
from worker.compiling.entry import entry
from worker.compiling.jit import inlined
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Unsigned
from worker.facts.backdoors import backdoor, is_solved
from worker.facts.singles import count_candidates, count_placed, load, place_singles
from worker.facts.trials import (
    Memory,
    close_1,
    close_2,
    exclude_at_depth_1,
    new_memory,
    renumber,
    try_depth_1,
    try_depth_2,
)
from worker.stopwatch import Stopwatch

#: the columns of a report: cells and candidates after singles, depth, size of the backdoor, and the
#: nanoseconds after which the depth was found to be DEEPER
PLACED, CANDIDATES, DEPTH, BACKDOOR, TIME = 0, 1, 2, 3, 4
#: a fact that is not known, and a depth that is more than 2
UNKNOWN, DEEPER = -1, -2
#: how far a puzzle is after trials of some depth
OPEN, SOLVED, CONTRADICTION = 0, 1, 2


def new_report(puzzles: int) -> Integers:
    """Return a report of puzzles of which nothing is known."""
    return np.full((puzzles, 5), UNKNOWN, np.int64)


def new_clock() -> Integers:
    """Return the memory of a clock of compiled code."""
    return np.zeros(CLOCK_SIZE, np.int64)


@inlined
def state(memory: Memory, is_consistent: bool) -> Int:
    """Return how far a puzzle is."""
    if not is_consistent:
        return CONTRADICTION
    return SOLVED if is_solved(memory.boards[ZERO]) else OPEN


@inlined
def begin(memory: Memory, given: NDArray[np.uint8], solution: NDArray[np.uint8]) -> bool:
    """Close a puzzle under singles; `solution` is its only one, or zeros."""
    for cell in range(Unsigned(given.size)):
        value = Unsigned(solution[cell])
        memory.solution[cell] = ZERO if value == ZERO else ONE << value - ONE
    load(memory.lines, memory.boards[ZERO], given)
    renumber(memory, ZERO)
    every = (ONE << Unsigned(memory.lines.cells.shape[0])) - ONE
    return bool(place_singles(memory.lines, memory.boards[ZERO], every))


@entry(__file__)
def survey(
    memory: Memory,
    given: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    is_decided: NDArray[np.bool_],
    report: Integers,
    clock: Integers,
    at: Int,
    slice_ns: Int,
    timeout_ns: Int,
) -> Int:
    """Find the facts of puzzles from number `at` on, and return the first that is not done.

    Stop when the slice is over, or at a puzzle whose depth is DEEPER, which `go_deeper` goes on
    with.  `is_decided` tells which puzzles have at most one solution: only these have a depth.
    """
    pause = start(clock) + slice_ns
    while at < given.shape[0]:
        facts, began = report[at], now(clock)
        is_consistent = begin(memory, given[at], solutions[at])
        if is_consistent:
            facts[PLACED] = count_placed(memory.boards[ZERO])
            facts[CANDIDATES] = count_candidates(memory.boards[ZERO])
        if is_consistent and solutions[at, 0] != 0:
            facts[BACKDOOR] = backdoor(memory)
        if is_decided[at]:
            depth, reached = 0, state(memory, is_consistent)
            while reached == OPEN and depth < 2 and now(clock) - began < timeout_ns:
                depth += 1
                is_consistent = close_1(memory, ZERO) if depth == 1 else close_2(memory, ZERO)
                reached = state(memory, is_consistent)
            if reached != OPEN:
                facts[DEPTH] = depth
            elif depth == 2:
                facts[DEPTH], facts[TIME] = DEEPER, now(clock) - began
                return at
        at += 1
        if now(clock) >= pause:
            break
    return at


@entry(__file__)
def exclude_at_depth_3(memory: Memory, cell: Int, candidate: Int) -> Int:
    """Exclude a candidate if it fails at depth 3, on a board that is closed at depth 2.

    Return how far the puzzle is then.
    """
    cell, candidate = Unsigned(cell), Unsigned(candidate)
    if try_depth_1(memory, ZERO, cell, candidate) and try_depth_2(memory, ZERO, cell, candidate):
        return OPEN
    return state(memory, exclude_at_depth_1(memory, ZERO, cell, candidate))


def go_deeper(memory: Memory, watch: Stopwatch) -> Generator[None, None, int]:
    """Return the depth of the puzzle in memory; UNKNOWN if it exceeds 3, or time is over before.

    Yields after each trial, which takes up to some tens of milliseconds.
    """
    board, is_changed = memory.boards[0], True
    while is_changed:
        is_changed = False
        for cell in range(board.size):
            for candidate in _bits(int(board[cell]) & ~int(memory.solution[cell])):
                here = int(board[cell])
                if not here & candidate or here == candidate:
                    continue
                if watch.is_over:
                    return UNKNOWN
                if exclude_at_depth_3(memory, cell, candidate) != OPEN:
                    return 3
                is_changed |= int(board[cell]) != here
                yield
    return UNKNOWN


def _bits(candidates: int) -> list[int]:
    return [1 << symbol for symbol in range(candidates.bit_length()) if candidates >> symbol & 1]


def warm_up() -> None:
    """Compile the search for facts, or load it from the cache."""
    given, flags = np.zeros((1, 16), np.uint8), np.zeros(1, np.bool_)
    memory, clock = new_memory(4), new_clock()
    survey(memory, given, given, flags, new_report(1), clock, 0, 0, 0)
    exclude_at_depth_3(memory, 0, 1)

"""What the search for the least text of a grid remembers: candidates, and the grid by its lines.

A *candidate* is a way to begin the least text: some rows of the source in their order, and what is
known by then of the order of its columns.  It is four numbers, whose fields have four bits each:

    ORDER    the columns of the source, by target column; where cells and groups of columns begin;
             whether the source is transposed
    LABELS   the label of each digit, 0 if it has none yet; the next label
    ROWS     the rows of the source, by target row; which of them are used
    WAYS     how many arrangements it stands for that differ in empty lines only

Columns of a *cell* are adjacent and interchangeable, because they are empty in all rows so far; so
are the stacks of a *group*.
"""

from functools import cache
from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import inlined
from worker.compiling.numbers import Int, Integers
from worker.sudoku.symbols import Box

#: the numbers of a candidate
ORDER, LABELS, ROWS, WAYS = 0, 1, 2, 3
#: a field, and the bits where others begin
FIELD = 15
CELLS, GROUPS, TRANSPOSED = 36, 45, 48  #: in ORDER
NEXT = 36  #: in LABELS
USED = 36  #: in ROWS
#: the largest side of a grid whose rows fit into these numbers
MAX_SIDE = 9
#: columns of a stack at most
MAX_WIDTH = 4
#: candidates that fit into new memory, and after all its enlargements
FIRST_CANDIDATES, MAX_CANDIDATES = 1 << 12, 1 << 18


class Memory(NamedTuple):
    """The memory of a search, which is used again for the next grid."""

    candidates: Integers  #: three lists of candidates, each of four numbers
    digits: NDArray[np.int8]  #: of the grid and its transpose, by row and column; 0 is empty
    givens: Integers  #: of the grid and its transpose, by row and stack: a bit for each column
    orders: Integers  #: by the starts of cells and the givens of a stack: their number, and each
    empty: Integers  #: of the grid and its transpose: a bit for each row without givens
    places: Integers  #: of a full grid, by row and digit: its column
    stacks: Integers  #: the orders of stacks, of four bits each
    stack_of: Integers  #: by column: its stack; a table takes a tenth of the time of a division
    band_of: Integers  #: by row: its band
    size: Integers  #: height and width of a box; number of sources, 2 with the transpose


def new_memory(box: Box, candidates: int) -> Memory:
    """Return memory for grids with such boxes."""
    side = box.height * box.width
    return Memory(
        candidates=np.zeros((3, candidates, 4), np.int64),
        digits=np.zeros((2, side, side), np.int8),
        givens=np.zeros((2, side, box.height), np.int64),
        empty=np.zeros(2, np.int64),
        orders=_orders(box.width),
        places=np.zeros((2, side, side + 1), np.int64),
        stacks=np.array(
            [
                sum(stack << 4 * place for place, stack in enumerate(order))
                for order in permutations(range(box.height))
            ]
        ),
        stack_of=np.arange(side) // box.width,
        band_of=np.arange(side) // box.height,
        size=np.array([box.height, box.width, 1 + (box.height == box.width)]),
    )


@cache
def _orders(width: int) -> Integers:
    """Return the orders of the columns of a stack that may make its part of a row least.

    They keep each column in its cell, and empty columns first, in one order.  By the starts of
    cells and the givens, each a bit per column: the number of orders, and each as the columns by
    place, of two bits.
    """
    found = np.zeros((1 << width, 1 << width, factorial(width) + 1), np.int64)
    for starts in range(1 << width):
        cell = [(starts & (2 << place) - 1 & ~1).bit_count() for place in range(width)]
        for givens in range(1 << width):
            kept: list[int] = []
            for order in permutations(range(width)):
                keys = [(cell[at], givens >> at & 1) for at in order]
                empty = [at for at in order if not givens >> at & 1]
                is_kept = [cell[at] for at in order] == cell and keys == sorted(keys)
                if is_kept and empty == sorted(empty):
                    kept.append(sum(at << 2 * place for place, at in enumerate(order)))
            found[starts, givens, : len(kept) + 1] = [len(kept), *kept]
    return found


@inlined
def load(memory: Memory, grids: NDArray[np.int8], number: Int) -> None:
    """Read a grid and its transpose."""
    height, width, sources, cell = memory.size[0], memory.size[1], memory.size[2], 0
    side = height * width
    for source in range(sources):
        memory.empty[source] = (1 << side) - 1
        for row in range(side):
            for stack in range(height):
                memory.givens[source, row, stack] = 0
    for row in range(side):
        for column in range(side):
            digit = grids[number, cell]
            cell += 1
            memory.digits[0, row, column] = memory.digits[1, column, row] = digit
            if digit:
                stack = memory.stack_of[column]
                memory.givens[0, row, stack] |= 1 << (column - stack * width)
                memory.empty[0] &= ~(1 << row)
                if sources == 2:  # a band has as many rows as a stack has columns
                    band = memory.band_of[row]
                    memory.givens[1, column, band] |= 1 << (row - band * width)
                    memory.empty[1] &= ~(1 << column)


@inlined
def begin(memory: Memory) -> Int:
    """Make the first candidates, without rows; return their number."""
    height, width, sources = memory.size[0], memory.size[1], memory.size[2]
    order = 1 << GROUPS
    for column in range(height * width):
        order |= column << 4 * column
        order |= (memory.stack_of[column] * width == column) << (CELLS + column)
    for source in range(sources):
        memory.candidates[0, source, ORDER] = order | source << TRANSPOSED
        memory.candidates[0, source, LABELS] = 1 << NEXT
        memory.candidates[0, source, ROWS] = 0
        memory.candidates[0, source, WAYS] = 1
    return sources


@inlined
def stack_at(memory: Memory, order: Int, place: Int) -> Int:
    """Return the stack of the source at a place of the target."""
    return memory.stack_of[order >> 4 * place * memory.size[1] & FIELD]


@inlined
def exchanged(order: Int, one: Int, other: Int, width: Int) -> Int:
    """Return an order in which two stacks of a group are exchanged."""
    for place in range(width):
        first, second = 4 * (one * width + place), 4 * (other * width + place)
        change = (order >> first ^ order >> second) & FIELD
        order ^= change << first | change << second if first != second else 0
    return order


@inlined
def end_of_group(order: Int, stack: Int, stacks: Int) -> Int:
    """Return the first target stack after this one with which it cannot be exchanged."""
    end = stack + 1
    while end < stacks and order >> (GROUPS + end) & 1 == 0:
        end += 1
    return end


@inlined
def ways_of_runs(starts: Int, size: Int) -> Int:
    """Return the orders of things of which each run, up to the next start, is interchangeable."""
    ways, run = 1, 1
    for place in range(1, size):
        run = 1 if starts >> place & 1 else run + 1
        ways *= run
    return ways


@inlined
def ways(memory: Memory, old: Int, at: Int) -> Int:
    """Return the arrangements that a candidate with all rows stands for."""
    order, height = memory.candidates[old, at, ORDER], memory.size[0]
    columns = ways_of_runs(order >> CELLS, height * memory.size[1])
    return memory.candidates[old, at, WAYS] * columns * ways_of_runs(order >> GROUPS, height)

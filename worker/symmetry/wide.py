"""The search for the least texts of grids that are too large for the numbers of `state.py`.

It is the same search, but from cell to cell of the target instead of from stack to stack.  A
candidate is a row of small numbers, which takes longer to copy:

    ORDER    by target column: the column of the source
    CELLS    by target column: whether a cell of interchangeable columns starts there
    LABELS   by digit: its label, 0 if it has none yet
    ROWS     by target row: the row of the source
    USED     by row of the source: whether it is among these
    GROUPS   by target stack: whether a group of interchangeable stacks starts there
    TAIL     the next label; 1 if the source is transposed
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import Int, Integers
from worker.sudoku.symbols import Box

Small = NDArray[np.int8]
#: where a field begins, in sides of the grid; TAIL follows GROUPS, which has a field per stack
ORDER, CELLS, LABELS, ROWS, USED, GROUPS = 0, 1, 2, 3, 4, 5
#: what is reported of more arrangements than 64 bits hold
MAX_WAYS = 2**63 - 1
#: more than any label
GREATEST = 127


class Memory(NamedTuple):
    """The memory of a search, which is used again for the next grid."""

    candidates: Small  #: two lists of candidates
    ways: Integers  #: by list and candidate: the arrangements that differ in empty lines only
    digits: Small  #: of the grid and its transpose, by row and column; 0 is empty
    givens: Small  #: of the grid and its transpose, by row and stack: the number of givens
    places: Small  #: of a full grid and its transpose, by row and digit: its column
    size: Integers  #: height and width of a box; number of sources, 2 with the transpose


def new_memory(box: Box, candidates: int) -> Memory:
    """Return memory for grids with such boxes."""
    side = box.height * box.width
    return Memory(
        np.zeros((2, candidates, GROUPS * side + box.height + 2), np.int8),
        np.zeros((2, candidates), np.int64),
        np.zeros((2, side, side), np.int8),
        np.zeros((2, side, box.height), np.int8),
        np.zeros((2, side, side + 1), np.int8),
        np.array([box.height, box.width, 1 + (box.height == box.width)]),
    )


@compiled
def load(memory: Memory, grids: Small, number: Int) -> bool:
    """Read a grid and its transpose; return whether every row and column has all digits."""
    height, width, sources = memory.size[0], memory.size[1], memory.size[2]
    side, missing = height * width, 0
    memory.givens[:] = 0
    memory.places[:] = -1
    for source in range(2):
        for row in range(side):
            for column in range(side):
                digit = grids[number, row * side + column if source == 0 else column * side + row]
                if source < sources and digit:
                    memory.givens[source, row, column // width] += 1
                if source < sources:
                    memory.digits[source, row, column] = digit
                missing += digit == 0 or memory.places[source, row, digit] >= 0
                memory.places[source, row, digit] = column
    return missing == 0


@compiled
def begin(memory: Memory) -> Int:
    """Make the first candidates, without rows; return their number."""
    height, width, sources = memory.size[0], memory.size[1], memory.size[2]
    side = height * width
    for source in range(sources):
        one = memory.candidates[0, source]
        one[:] = 0
        for column in range(side):
            one[column] = column
            one[CELLS * side + column] = column % width == 0
        one[GROUPS * side] = 1
        one[GROUPS * side + height] = 1
        one[GROUPS * side + height + 1] = source
        memory.ways[0, source] = 1
    return sources


@inlined
def keep(memory: Memory, old: Int, at: Int, new: Int, kept: Int) -> None:
    """Copy a candidate to another list."""
    one = memory.candidates[new, kept]
    for k in range(one.size):
        one[k] = memory.candidates[old, at, k]
    memory.ways[new, kept] = memory.ways[old, at]


@inlined
def empty_lines(memory: Memory, one: Small, source: Int, band: Int) -> Int:
    """Return how many rows of a band are empty and not used."""
    height, width = memory.size[0], memory.size[1]
    number = 0
    for row in range(band * height, band * height + height):
        number += is_empty(memory, source, row) and one[USED * height * width + row] == 0
    return number


@inlined
def is_empty(memory: Memory, source: Int, row: Int) -> bool:
    """Return whether a row has no givens."""
    givens = 0
    for stack in range(memory.size[0]):
        givens += memory.givens[source, row, stack]
    return givens == 0


@compiled
def pair(memory: Memory, old: Int, new: Int, count: Int, row_of_target: Int) -> Int:
    """Pair each candidate with each row that may follow; return the number of pairs.

    Of empty rows of a band one stands for all, and of empty bands.  Negative if memory is full.
    """
    height, width, pairs = memory.size[0], memory.size[1], 0
    side, begins = height * width, row_of_target % height == 0
    for at in range(count):
        one = memory.candidates[old, at]
        source, bands = one[GROUPS * side + height + 1], 0
        first, last = 0, width
        if begins:
            for band in range(width):
                bands += empty_lines(memory, one, source, band) == height
        else:
            first = one[ROWS * side + row_of_target - 1] // height
            last = first + 1
        for band in range(first, last):
            if begins and one[USED * side + band * height]:
                continue
            empty = empty_lines(memory, one, source, band)
            if bands and empty < height:
                continue
            for row in range(band * height, band * height + height):
                if one[USED * side + row] or (empty and not is_empty(memory, source, row)):
                    continue
                if pairs >= memory.ways.shape[1]:
                    return -1
                keep(memory, old, at, new, pairs)
                made = memory.candidates[new, pairs]
                made[ROWS * side + row_of_target] = row
                made[USED * side + row] = 1
                memory.ways[new, pairs] *= max(bands, 1) * max(empty, 1)
                pairs += 1
                if empty:
                    break
            if bands:
                break
    return pairs


@inlined
def end_of_run(one: Small, starts: Int, place: Int, end: Int) -> Int:
    """Return the place after the last that is interchangeable with this one."""
    place += 1
    while place < end and one[starts + place] == 0:
        place += 1
    return place


@inlined
def stacks_for(memory: Memory, one: Small, row_of_target: Int, place: Int) -> tuple[Int, Int, bool]:
    """Return the range of target stacks that may come to a place, and whether they are split off.

    At the first column of a stack these are its group, or one that is empty in the row.
    """
    height, width = memory.size[0], memory.size[1]
    side, stack = height * width, place // width
    if place % width:
        return stack, stack + 1, False
    source, row = one[GROUPS * side + height + 1], one[ROWS * side + row_of_target]
    end = end_of_run(one, GROUPS * side, stack, height)
    for other in range(stack, end):
        if memory.givens[source, row, one[other * width] // width] == 0:
            return other, other + 1, False
    return stack, end, True


@inlined
def columns_for(memory: Memory, one: Small, row_of_target: Int, place: Int) -> tuple[Int, Int]:
    """Return the range of target columns that may come to a place: its cell, or an empty column."""
    height, width = memory.size[0], memory.size[1]
    side = height * width
    source, row = one[GROUPS * side + height + 1], one[ROWS * side + row_of_target]
    end = end_of_run(one, CELLS * side, place, place - place % width + width)
    for other in range(place, end):
        if memory.digits[source, row, one[other]] == 0:
            return other, other + 1
    return place, end


@compiled
def place_cell(
    memory: Memory, old: Int, new: Int, count: Int, row_of_target: Int, place: Int
) -> tuple[Int, Int]:
    """Keep the pairs whose rows have the least label in a column; return their number, and that.

    The number is negative if memory is full.
    """
    height, width, kept, least = memory.size[0], memory.size[1], 0, GREATEST
    side, stack, offset = height * width, place // width, place % width
    tail = GROUPS * side + height
    for at in range(count):
        one = memory.candidates[old, at]
        source, row = one[tail + 1], one[ROWS * side + row_of_target]
        first, last, is_split = stacks_for(memory, one, row_of_target, place)
        for other in range(first, last):
            begin_, end = columns_for(memory, one, row_of_target, other * width + offset)
            for column in range(begin_, end):
                digit = memory.digits[source, row, one[column]]
                label = one[LABELS * side + digit - 1] if digit else 0
                if digit and label == 0:
                    label = one[tail]
                if label > least:
                    continue
                if label < least:
                    least, kept = label, 0
                if kept >= memory.ways.shape[1]:
                    return -1, 0
                keep(memory, old, at, new, kept)
                made = memory.candidates[new, kept]
                kept += 1
                for k in range(width):
                    mine, theirs = stack * width + k, other * width + k
                    made[mine], made[theirs] = made[theirs], made[mine]
                moved = column - (other - stack) * width
                made[place], made[moved] = made[moved], made[place]
                if is_split:
                    made[GROUPS * side + stack] = 1
                    if stack + 1 < height:
                        made[GROUPS * side + stack + 1] = 1
                if digit:
                    made[LABELS * side + digit - 1] = label
                    made[tail] += label == made[tail]
                    made[CELLS * side + place] = 1
                    if offset + 1 < width:
                        made[CELLS * side + place + 1] = 1
    return kept, least


@inlined
def ways_of_runs(one: Small, starts: Int, size: Int) -> Int:
    """Return the orders of things of which each run, up to the next start, is interchangeable."""
    ways, run = 1, 1
    for place in range(1, size):
        run = 1 if one[starts + place] else run + 1
        ways *= run
    return ways


@inlined
def all_ways(memory: Memory, old: Int, count: Int) -> Int:
    """Return how many arrangements the last candidates stand for, at most MAX_WAYS."""
    height, side = memory.size[0], memory.size[0] * memory.size[1]
    total = 0
    for at in range(count):
        one = memory.candidates[old, at]
        columns = ways_of_runs(one, CELLS * side, side) * ways_of_runs(one, GROUPS * side, height)
        if columns > (MAX_WAYS - total) // memory.ways[old, at]:
            return MAX_WAYS
        total += columns * memory.ways[old, at]
    return total


@inlined
def write(memory: Memory, old: Int, arrangements: Small, number: Int) -> None:
    """Write the arrangement of the first of the last candidates, as in `Forms`."""
    height, side = memory.size[0], memory.size[0] * memory.size[1]
    one = memory.candidates[old, 0]
    for at in range(side):
        arrangements[number, at] = one[ROWS * side + at]
        arrangements[number, side + at] = one[ORDER * side + at]
        arrangements[number, 2 * side + at] = one[LABELS * side + at]
    arrangements[number, 3 * side] = one[GROUPS * side + height + 1]

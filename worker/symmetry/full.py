"""The first two rows of the least text of a grid without empty cells.

Its first row is 1 to 9 whichever row and order of columns is chosen, so its columns are placed
while the second row is read: a column gets the least place of its stack when its digit is the
label that is wanted.
"""

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import inlined
from worker.compiling.numbers import Int
from worker.symmetry.state import (
    CELLS,
    FIELD,
    GROUPS,
    LABELS,
    NEXT,
    ORDER,
    ROWS,
    TRANSPOSED,
    USED,
    WAYS,
    Memory,
)


@inlined
def is_full(memory: Memory) -> bool:
    """Return whether each row and column has all digits."""
    side = memory.size[0] * memory.size[1]
    for source in range(2):
        for row in range(side):
            found = 0
            for column in range(side):
                digit = memory.digits[min(source, memory.size[2] - 1), row, column]
                found |= 1 << digit
            if found != (2 << side) - 2:
                return False
    return True


@inlined
def are_boxes_full(memory: Memory) -> bool:
    """Return whether each box has all digits, as in a solution."""
    height, width = memory.size[0], memory.size[1]
    for band in range(width):
        for stack in range(height):
            found = 0
            for cell in range(height * width):
                row, column = band * height + cell // width, stack * width + cell % width
                digit = memory.digits[0, row, column]
                found |= 1 << digit
            if found != (2 << height * width) - 2:
                return False
    return True


@inlined
def begin_full(memory: Memory, new: Int) -> tuple[Int, Int]:
    """Make candidates of two rows of a band and an order of stacks.

    ORDER has the column + 1 by place, LABELS the place + 1 by column, and WAYS the order of stacks.
    Return their number, and what `most_shared` returns for a solution with 3x3 boxes, of which the
    first columns are placed; for other grids 0, and no column is placed.
    """
    height, width, sources, made = memory.size[0], memory.size[1], memory.size[2], 0
    for source in range(sources):
        for row in range(height * width):
            for column in range(height * width):
                memory.places[source, row, memory.digits[source, row, column]] = column
    if height == 3 and width == 3 and are_boxes_full(memory):
        shared = most_shared(memory)
        return begin_nine(memory, new, shared), shared
    for source in range(sources):
        for first in range(height * width):
            band = memory.band_of[first] * height
            for second in range(band, band + height):
                for stacks in memory.stacks:
                    if first == second:
                        break
                    memory.candidates[new, made, ORDER] = source << TRANSPOSED
                    memory.candidates[new, made, LABELS] = 0
                    memory.candidates[new, made, ROWS] = two_rows(first, second)
                    memory.candidates[new, made, WAYS] = stacks
                    made += 1
    return made, 0


@inlined
def two_rows(first: Int, second: Int) -> Int:
    """Return the rows of a candidate that has two."""
    return first | second << 4 | (1 << first | 1 << second) << USED


@inlined
def above(memory: Memory, source: Int, first: Int, second: Int, column: Int) -> Int:
    """Return the column in which the first row has the digit of the second row in this column."""
    return memory.places[source, first, memory.digits[source, second, column]]


@inlined
def most_shared(memory: Memory) -> Int:
    """Return how many digits of a stack in one row may be in one stack of the other: 3, else 2.

    In a solution, a stack of the second row has 0 to 3 digits of the next stack of the first row,
    each stack as many, and the rest of the third.  Where all three are from one stack, the least
    second row begins with 456, else with 457.
    """
    for source in range(2):
        for first in range(9):
            for second in range(memory.band_of[first] * 3, memory.band_of[first] * 3 + 3):
                if first != second and in_next(memory, source, first, second) % 3 == 0:
                    return 3
    return 2


@inlined
def in_next(memory: Memory, source: Int, first: Int, second: Int) -> Int:
    """Return how many digits of a stack of the second row are in the next stack of the first."""
    found = 0
    for column in range(3):
        found += memory.stack_of[above(memory, source, first, second, column)] == 1
    return found


@inlined
def begin_nine(memory: Memory, new: Int, shared: Int) -> Int:
    """Make candidates of two rows whose first stack has the least labels; return their number.

    Of its columns a, b and c, the first two have digits of the second stack, and of 3 `shared`, so
    has the third.  Of these candidates, those with the least label in the fourth place are kept.
    """
    made, least = 0, FIELD
    for source in range(2):
        for first in range(9):
            for second in range(memory.band_of[first] * 3, memory.band_of[first] * 3 + 3):
                if first == second:
                    continue
                found = in_next(memory, source, first, second)
                for stacks in memory.stacks:
                    start, next_ = (stacks & FIELD) * 3, stacks >> 4 & FIELD
                    is_next = (next_ - (stacks & FIELD)) % 3 == 1
                    if (found if is_next else 3 - found) != shared:
                        continue
                    for a in range(start, start + 3):
                        for b in range(start, start + 3):
                            fourth = above(memory, source, first, second, a)
                            fifth = above(memory, source, first, second, b)
                            stack = memory.stack_of[fourth]
                            if a == b or stack != next_ or memory.stack_of[fifth] != next_:
                                continue
                            c = 3 * start + 3 - a - b
                            last = above(memory, source, first, second, c)
                            place = above(memory, source, first, second, fourth)
                            label = 7 + (shared == 2 and place != last)
                            if memory.stack_of[place] * 3 == start:
                                label = 1 + (place != a) + (place == c)
                            if label < least:
                                least, made = label, 0
                            if label == least:
                                columns = (a, b, c, fourth, fifth, last)
                                write_nine(memory, new, made, columns, shared)
                                memory.candidates[new, made, ORDER] |= source << TRANSPOSED
                                memory.candidates[new, made, ROWS] = two_rows(first, second)
                                memory.candidates[new, made, WAYS] = stacks
                                made += 1
    return made


@inlined
def write_nine(
    memory: Memory, new: Int, at: Int, columns: tuple[Int, Int, Int, Int, Int, Int], shared: Int
) -> None:
    """Write columns at places 0 to 4, and the last at 5 or, of 2 `shared`, at 6."""
    a, b, c, fourth, fifth, last = columns
    place = 8 - shared
    order = (a + 1) | (b + 1) << 4 | (c + 1) << 8 | (fourth + 1) << 12 | (fifth + 1) << 16
    places = 1 << 4 * a | 2 << 4 * b | 3 << 4 * c | 4 << 4 * fourth | 5 << 4 * fifth
    memory.candidates[new, at, ORDER] = order | (last + 1) << 4 * place
    memory.candidates[new, at, LABELS] = places | (place + 1) << 4 * last


@inlined
def least_free(order: Int, start: Int) -> Int:
    """Return the first place from this one on that has no column."""
    while order >> 4 * start & FIELD:
        start += 1
    return start


@inlined
def place_of_stack(stacks: Int, stack: Int) -> Int:
    """Return the target stack of a stack of the source."""
    place = 0
    while stacks >> 4 * place & FIELD != stack:
        place += 1
    return place


@inlined
def placed_column(
    memory: Memory, new: Int, at: Int, place: Int, column: Int
) -> tuple[Int, Int, Int]:
    """Place a column of the second row; return its label, and the places after it."""
    width, stacks = memory.size[1], memory.candidates[new, at, WAYS]
    order, places = memory.candidates[new, at, ORDER], memory.candidates[new, at, LABELS]
    rows, source = memory.candidates[new, at, ROWS], order >> TRANSPOSED & 1
    if places >> 4 * column & FIELD == 0:
        order |= (column + 1) << 4 * place
        places |= (place + 1) << 4 * column
    digit = memory.digits[source, rows >> 4 & FIELD, column]
    above = memory.places[source, rows & FIELD, digit]
    if places >> 4 * above & FIELD == 0:
        free = least_free(order, place_of_stack(stacks, memory.stack_of[above]) * width)
        order |= (above + 1) << 4 * free
        places |= (free + 1) << 4 * above
    return places >> 4 * above & FIELD, order, places


@inlined
def place_second(memory: Memory, old: Int, new: Int, count: Int, place: Int) -> tuple[Int, Int]:
    """Keep the candidates with the least label at a place of the second row; return number, label.

    The number is negative if memory is full.
    """
    width, kept, least = memory.size[1], 0, FIELD
    candidates = memory.candidates
    for at in range(count):
        if kept + width > candidates.shape[1]:
            return -1, 0
        order, places = candidates[old, at, ORDER], candidates[old, at, LABELS]
        here = order >> 4 * place & FIELD
        stack = candidates[old, at, WAYS] >> 4 * memory.stack_of[place] & FIELD
        for column in range(stack * width, stack * width + width):
            if column + 1 != here and (here or places >> 4 * column & FIELD):
                continue
            label, after, places_after = placed_column(memory, old, at, place, column)
            if label < least:
                least, kept = label, 0
            if label == least:
                candidates[new, kept, ORDER] = after
                candidates[new, kept, LABELS] = places_after
                candidates[new, kept, ROWS] = candidates[old, at, ROWS]
                candidates[new, kept, WAYS] = candidates[old, at, WAYS]
                kept += 1
    return kept, least


@inlined
def end_full(memory: Memory, new: Int, count: Int) -> None:
    """Write the candidates of two rows as those of any grid."""
    side = memory.size[0] * memory.size[1]
    for at in range(count):
        order, places = memory.candidates[new, at, ORDER], memory.candidates[new, at, LABELS]
        source, row = order >> TRANSPOSED & 1, memory.candidates[new, at, ROWS] & FIELD
        columns, labels = (1 << side) - 1 << CELLS, (side + 1) << NEXT
        columns |= (1 << memory.size[0]) - 1 << GROUPS | source << TRANSPOSED
        for column in range(side):
            columns |= ((order >> 4 * column & FIELD) - 1) << 4 * column
            digit = int(memory.digits[source, row, column])
            labels |= (places >> 4 * column & FIELD) << 4 * (digit - 1)
        memory.candidates[new, at, ORDER] = columns
        memory.candidates[new, at, LABELS] = labels
        memory.candidates[new, at, WAYS] = 1


@inlined
def two_of_full(memory: Memory, cells: NDArray[np.int8], number: Int) -> tuple[Int, Int, Int]:
    """Write the first two rows of the least text of a full grid.

    Return the number of candidates, negative if memory is full, their list, and one that is free.
    """
    side, old, new, begun = memory.size[0] * memory.size[1], 0, 1, 0
    count, shared = begin_full(memory, old)
    if shared:
        cells[number, side], cells[number, side + 1] = 4, 5
        cells[number, side + 2], begun = 9 - shared, 3
    for place in range(side):
        cells[number, place] = place + 1
    for place in range(begun, side):
        count, label = place_second(memory, old, new, count, place)
        if count < 0:
            return count, old, new
        old, new = new, old
        cells[number, side + place] = label
    end_full(memory, old, count)
    return count, old, new

"""The first two rows of the least text of a grid without empty cells.

Its first row is 1 to 9 whichever row and order of columns is chosen, so its columns are placed
while the second row is read: a column gets the least place of its stack when its digit is the
label that is wanted.
"""

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
def begin_full(memory: Memory, new: Int) -> Int:
    """Make a candidate of two rows of a band for each order of stacks; return their number.

    ORDER has the column + 1 by place, LABELS the place + 1 by column, and WAYS the order of stacks.
    """
    height, width, sources, made = memory.size[0], memory.size[1], memory.size[2], 0
    for source in range(sources):
        for row in range(height * width):
            for column in range(height * width):
                memory.places[source, row, memory.digits[source, row, column]] = column
    for source in range(sources):
        for first in range(height * width):
            for second in range(
                memory.band_of[first] * height, memory.band_of[first] * height + height
            ):
                for stacks in memory.stacks:
                    if first == second:
                        break
                    used = 1 << first | 1 << second
                    memory.candidates[new, made, ORDER] = source << TRANSPOSED
                    memory.candidates[new, made, LABELS] = 0
                    memory.candidates[new, made, ROWS] = first | second << 4 | used << USED
                    memory.candidates[new, made, WAYS] = stacks
                    made += 1
    return made


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

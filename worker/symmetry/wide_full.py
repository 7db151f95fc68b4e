"""The first two rows of the least text of a large grid without empty cells, as `full.py` has them.

Meanwhile, a candidate has the column + 1 by place in ORDER, the place + 1 by column in CELLS, and
the stack + 1 by target stack in GROUPS; 0 is not known yet.
"""

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import Int
from worker.symmetry.wide import (
    CELLS,
    GREATEST,
    GROUPS,
    LABELS,
    ORDER,
    ROWS,
    USED,
    Memory,
    Small,
    keep,
)


@compiled
def begin_full(memory: Memory, new: Int) -> Int:
    """Make a candidate for every two rows of a band; return their number."""
    height, side, made = memory.size[0], memory.size[0] * memory.size[1], 0
    for source in range(memory.size[2]):
        for first in range(side):
            band = first - first % height
            for second in range(band, band + height):
                if second != first:
                    one = memory.candidates[new, made]
                    one[:] = 0
                    one[ROWS * side], one[ROWS * side + 1] = first, second
                    one[GROUPS * side + height + 1] = source
                    made += 1
    return made


@inlined
def put(memory: Memory, one: Small, place: Int, column: Int) -> None:
    """Place a column, and its stack."""
    width, side = memory.size[1], memory.size[0] * memory.size[1]
    one[ORDER * side + place] = column + 1
    one[CELLS * side + column] = place + 1
    one[GROUPS * side + place // width] = column // width + 1


@inlined
def put_above(memory: Memory, one: Small, column: Int) -> Int:
    """Place the column whose first row has the digit of the second row in a column, if it is not.

    It gets the least place that is free in its stack, and that the first that is free if it has
    none; return its label.
    """
    height, width = memory.size[0], memory.size[1]
    side = height * width
    source, first, second = one[GROUPS * side + height + 1], one[ROWS * side], one[ROWS * side + 1]
    above = memory.places[source, first, memory.digits[source, second, column]]
    if one[CELLS * side + above] == 0:
        stack = 0
        for other in range(height):
            if one[GROUPS * side + other] == above // width + 1:
                stack = other
        if one[GROUPS * side + stack] != above // width + 1:
            while one[GROUPS * side + stack]:
                stack += 1
        free = stack * width
        while one[ORDER * side + free]:
            free += 1
        put(memory, one, free, above)
    return one[CELLS * side + above]


@inlined
def suits(memory: Memory, one: Small, stack: Int, column: Int) -> bool:
    """Return whether a column is in a stack, given as in GROUPS, or in one without a place."""
    height, width = memory.size[0], memory.size[1]
    if stack:
        return bool(column // width + 1 == stack)
    for other in range(height):
        if one[GROUPS * height * width + other] == column // width + 1:
            return False
    return True


@compiled
def place_second(memory: Memory, old: Int, new: Int, count: Int, place: Int) -> tuple[Int, Int]:
    """Keep the candidates with the least label at a place of the second row; return number, label.

    The number is negative if memory is full.
    """
    width, kept, least = memory.size[1], 0, GREATEST
    side = memory.size[0] * width
    for at in range(count):
        one = memory.candidates[old, at]
        here, stack = one[ORDER * side + place], one[GROUPS * side + place // width]
        for column in range(side):
            if here and column + 1 != here:
                continue
            if not here and (one[CELLS * side + column] or not suits(memory, one, stack, column)):
                continue
            if kept >= memory.ways.shape[1]:
                return -1, 0
            keep(memory, old, at, new, kept)
            made = memory.candidates[new, kept]
            put(memory, made, place, column)
            label = put_above(memory, made, column)
            if label < least:
                least = label
                if kept:  # this one becomes the first
                    keep(memory, new, kept, new, 0)
                    kept = 0
            kept += label == least
    return kept, least


@compiled
def end_full(memory: Memory, new: Int, count: Int) -> None:
    """Write the candidates of two rows as those of any grid."""
    height, side = memory.size[0], memory.size[0] * memory.size[1]
    for at in range(count):
        one = memory.candidates[new, at]
        source, first, second = (
            one[GROUPS * side + height + 1],
            one[ROWS * side],
            one[ROWS * side + 1],
        )
        for place in range(side):
            one[ORDER * side + place] -= 1
            digit = memory.digits[source, first, one[ORDER * side + place]]
            one[LABELS * side + digit - 1] = place + 1
            one[CELLS * side + place] = 1
        for stack in range(height):
            one[GROUPS * side + stack] = 1
        one[GROUPS * side + height] = side + 1
        one[USED * side + first] = one[USED * side + second] = 1
        memory.ways[new, at] = 1


@compiled
def two_of_full(memory: Memory, cells: Small, number: Int) -> tuple[Int, Int, Int]:
    """Write the first two rows of the least text of a full grid.

    Return the number of candidates, negative if memory is full, their list, and one that is free.
    """
    side, old, new = memory.size[0] * memory.size[1], 0, 1
    count = begin_full(memory, old)
    for place in range(side):
        cells[number, place] = place + 1
        if count >= 0:
            count, label = place_second(memory, old, new, count, place)
            old, new = new, old
            cells[number, side + place] = label
    if count > 0:
        end_full(memory, old, count)
    return count, old, new

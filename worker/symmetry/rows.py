"""The next row of the least text: each candidate is paired with each row that may follow it, and of
all pairs those are kept whose row has the least text, one stack after the other.
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
    end_of_group,
    exchanged,
    stack_at,
)

#: more than the text of a stack, whose labels have four bits each
GREATEST = 1 << 60


@inlined
def lines_of(rows: Int, band: Int, height: Int) -> Int:
    """Return how many of the rows, a bit for each, are in a band."""
    number = 0
    for row in range(band * height, band * height + height):
        number += rows >> row & 1
    return number


@inlined
def full_bands(rows: Int, height: Int, width: Int) -> Int:
    """Return of how many bands all rows are among these."""
    number = 0
    for band in range(width):
        number += lines_of(rows, band, height) == height
    return number


@inlined
def divided(memory: Memory, order: Int, source: Int, row: Int) -> Int:
    """Return an order in which the stacks of each group that are empty in a row come first."""
    height, width = memory.size[0], memory.size[1]
    start = 0
    while start < height:
        end, empty = end_of_group(order, start, height), start
        for place in range(start, end):
            if memory.givens[source, row, stack_at(memory, order, place)] == 0:
                order = exchanged(order, place, empty, width)
                empty += 1
        if start < empty < end:
            order |= 1 << (GROUPS + empty)
        start = end
    return order


@inlined
def pair(memory: Memory, old: Int, new: Int, count: Int, row_of_target: Int) -> Int:
    """Pair each candidate with each row that may follow; return the number of pairs.

    Of empty rows of a band one stands for all, and of empty bands.  Negative if memory is full.
    """
    height, width = memory.size[0], memory.size[1]
    candidates, pairs = memory.candidates, 0
    for at in range(count):
        order, rows = candidates[old, at, ORDER], candidates[old, at, ROWS]
        source, used = order >> TRANSPOSED & 1, rows >> USED
        empty_rows = memory.empty[source] & ~used
        begins = memory.band_of[row_of_target] * height == row_of_target
        bands, band = 0, 0
        if begins:
            bands = full_bands(empty_rows, height, width)
        else:
            band = memory.band_of[rows >> 4 * (row_of_target - 1) & FIELD]
        first, last = (0, width) if begins else (band, band + 1)
        ways = candidates[old, at, WAYS] * max(bands, 1)
        for band in range(first, last):
            if begins and used >> band * height & 1:
                continue
            empty = lines_of(empty_rows, band, height)
            if bands and empty < height:
                continue
            for row in range(band * height, band * height + height):
                if used >> row & 1 or (empty and empty_rows >> row & 1 == 0):
                    continue
                if pairs >= candidates.shape[1]:
                    return -1
                candidates[new, pairs, ORDER] = divided(memory, order, source, row)
                candidates[new, pairs, LABELS] = candidates[old, at, LABELS]
                candidates[new, pairs, ROWS] = rows | row << 4 * row_of_target | 1 << (USED + row)
                candidates[new, pairs, WAYS] = ways * max(empty, 1)
                pairs += 1
                if empty:
                    break
            if bands:
                break
    return pairs


@inlined
def place_columns(
    memory: Memory, order: Int, labels: Int, source: Int, row: Int, stack: Int, columns: Int
) -> tuple[Int, Int, Int]:
    """Place the columns of a stack; return its text, and the order and the labels after it."""
    width, placed, text = memory.size[1], order, 0
    for place in range(width):
        at = stack * width + place
        column = order >> 4 * (stack * width + (columns >> 2 * place & 3)) & FIELD
        placed = placed & ~(FIELD << 4 * at) | column << 4 * at
        digit, label = int(memory.digits[source, row, column]), 0
        if digit:
            label = labels >> 4 * (digit - 1) & FIELD
            if label == 0:
                label = labels >> NEXT
                labels = (labels | label << 4 * (digit - 1)) + (1 << NEXT)
            placed |= 1 << (CELLS + at)
            if place + 1 < width:
                placed |= 1 << (CELLS + at + 1)
        text = text << 4 | label
    return text, placed, labels


@inlined
def keep(
    memory: Memory, new: Int, kept: Int, rows: Int, ways: Int, order: Int, labels: Int
) -> None:
    """Write a candidate."""
    memory.candidates[new, kept, ORDER] = order
    memory.candidates[new, kept, LABELS] = labels
    memory.candidates[new, kept, ROWS] = rows
    memory.candidates[new, kept, WAYS] = ways


@inlined
def place_stack(
    memory: Memory, old: Int, new: Int, count: Int, row_of_target: Int, stack: Int
) -> tuple[Int, Int]:
    """Keep the pairs whose rows have the least text in a stack; return their number, and that text.

    The number is negative if memory is full.
    """
    height, width = memory.size[0], memory.size[1]
    candidates, kept, least = memory.candidates, 0, GREATEST
    for at in range(count):
        order, labels = candidates[old, at, ORDER], candidates[old, at, LABELS]
        rows, ways = candidates[old, at, ROWS], candidates[old, at, WAYS]
        source, row = order >> TRANSPOSED & 1, rows >> 4 * row_of_target & FIELD
        if kept + 36 > candidates.shape[1]:
            return -1, 0
        if memory.givens[source, row, stack_at(memory, order, stack)] == 0:  # so is its group
            kept = kept if least == 0 else 0
            least = 0
            keep(memory, new, kept, rows, ways, order, labels)
            kept += 1
            continue
        if least == 0:
            continue
        for other in range(stack, end_of_group(order, stack, height)):
            chosen = exchanged(order, stack, other, width)
            if stack + 1 < height:
                chosen |= 1 << (GROUPS + stack + 1)
            starts = chosen >> (CELLS + stack * width) & (1 << width) - 1
            givens = 0
            for place in range(width):
                column = chosen >> 4 * (stack * width + place) & FIELD
                givens |= (memory.digits[source, row, column] != 0) << place
            for one in range(1, memory.orders[starts, givens, 0] + 1):
                text, placed, after = place_columns(
                    memory, chosen, labels, source, row, stack, memory.orders[starts, givens, one]
                )
                if text < least:
                    least, kept = text, 0
                if text == least:
                    keep(memory, new, kept, rows, ways, placed, after)
                    kept += 1
    return kept, least

"""Which guesses a search makes.

In the three rows of a band, a symbol stands once in each row and in each box: in one of six
*configurations*. The same is true of the columns of a stack. To branch on them is to branch on the
items "this symbol has a configuration in this band", which every solution covers; a configuration
excludes more than one symbol in one cell does (tdoku branches in this way).
"""

from worker.compiling.jit import bit_count, compiled, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.compiling.vectors import WIDTH, AnyLanes, any_of, moved, on_vectors
from worker.sudoku.lanes.board import BAND_LANES, BANDS, BOX, CONFIGURATIONS, LANES, SIDE, Grid
from worker.sudoku.lanes.propagate import (
    HAS_BOX,
    NEXT_IN_BAND,
    NEXT_IN_STACK,
    in_columns,
    in_rows,
    twice,
)

_BANDS, _BOX, _CONFIGURATIONS = Unsigned(BANDS), Unsigned(BOX), Unsigned(CONFIGURATIONS)
_SIDE, _LANES = Unsigned(SIDE), Unsigned(LANES)
#: the words of a vector, which are those of its bands, and the lanes of a word
_WORDS, _WORD_LANES = Unsigned(WIDTH // BAND_LANES), Unsigned(BAND_LANES)
_TRANSPOSED = [lane % BAND_LANES * BAND_LANES + lane // BAND_LANES for lane in range(WIDTH)]


def _configurations(cells: list[AnyLanes]) -> tuple[list[AnyLanes], list[AnyLanes]]:
    """Return the symbols of each configuration: those of bands in two vectors, then of stacks.

    A word is a band, or a stack, and its lanes are the boxes in which a configuration begins. The
    first vector holds those that go on with the next row in the next box, the second one the
    others. There are no signs.
    """
    rows = _pairs(in_rows(cells), NEXT_IN_BAND)
    columns = _pairs(in_columns(cells), NEXT_IN_STACK)
    return [*rows, *(moved(column, _TRANSPOSED) for column in columns)], []


def _pairs(cells: list[list[AnyLanes]], order: list[int]) -> list[AnyLanes]:
    first, *others = (any_of(three) for three in cells)
    return [
        first & moved(second, order) & moved(third, twice(order)) & HAS_BOX
        for second, third in (others, others[::-1])
    ]


write_configurations = on_vectors(SIDE, _configurations)


@inlined
def narrowest(grid: Grid) -> Int:
    """Return the band or stack whose symbols have the fewest configurations, more than one each.

    It is the index of its word; the other three configurations are in the word after `_WORDS`.
    """
    words, best, fewest = grid.words, ZERO, _BANDS * _LANES
    for band in range(_BANDS):
        word = band // _BOX * (_WORDS + _WORDS) + band % _BOX
        count = bit_count(words[word]) + bit_count(words[word + _WORDS])
        if count > _SIDE and count < fewest:
            best, fewest = word, count
    return best


@inlined
def symbols_of(grid: Grid, word: Int, number: Int) -> Int:
    """Return the symbols of a configuration."""
    lane = word * _WORD_LANES + number // _BOX * Unsigned(WIDTH) + number % _BOX
    return Unsigned(grid.configurations[lane])


@compiled
def branch(grid: Grid, level: Int) -> None:
    """Write the next guess: of the narrowest band, a symbol with the fewest configurations."""
    write_configurations(grid.mask, grid.configurations)
    word = narrowest(grid)
    one = two = three = four = ZERO  # the symbols with so many configurations at least
    for number in range(_CONFIGURATIONS):
        more = symbols_of(grid, word, number)
        four |= three & more
        three |= two & more
        two |= one & more
        one |= more
    symbols = two & ~three
    if symbols == ZERO:
        symbols = three & ~four if three != four else four
    symbol, rest = ONE << lowest_bit(symbols), ZERO
    for number in range(_CONFIGURATIONS):
        rest |= Unsigned(symbols_of(grid, word, number) & symbol != ZERO) << number
    band = word // (_WORDS + _WORDS) * _BOX + word % _WORDS
    grid.branch[level], grid.symbol[level], grid.rest[level] = band, symbol, rest

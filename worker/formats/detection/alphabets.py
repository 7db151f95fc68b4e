"""Chooses the alphabet of a file: the symbols that stand for the values of its cells.

Grids up to 9x9 have digits only, unless --from says otherwise.  Larger ones are written in one of
three alphabets, which share symbols, so a file can be ambiguous.
"""

from typing import NamedTuple

from worker.formats.detection.sample import Sample
from worker.formats.errors import FormatError
from worker.formats.layout import EMPTY_SYMBOLS, HEX_DIGITS, LETTERS, is_doubtful
from worker.sudoku.symbols import BOXES, VALUES

#: symbols that can occur in grids of a side, in any of the alphabets
POSSIBLE = {
    side: frozenset(
        VALUES[:side] + EMPTY_SYMBOLS
        if side < 10
        else "0123456789" + LETTERS[:side] + LETTERS[:side].lower() + EMPTY_SYMBOLS
    )
    for side in BOXES
}
#: the values of grids beyond 9x9, by the alphabet that --from names; others are digits
VALUE_RANGES = {"letters": "values A to Y", "hex": "values 0-9A-O, . is empty"}
DIGIT_VALUES = "values 1-9A-P, 0 is empty"
#: names of the alphabets; `letters` and `hex` are also values of --from
DIGITS_NAME, LETTERS_NAME, HEX_NAME = "digits", "letters", "hex"
#: the symbols of the values 1 to 25 in each alphabet, the likeliest first
VALUES_OF = {DIGITS_NAME: VALUES, LETTERS_NAME: LETTERS, HEX_NAME: HEX_DIGITS}


class Alphabet(NamedTuple):
    """The alphabet of a file."""

    format: str  #: a name in FORMATS
    symbols: str  #: the symbols of empty, 1, 2, ...
    doubt: FormatError | None  #: set if another alphabet has these symbols too


def choose(sample: Sample, shape: str, side: int, seen: set[str]) -> Alphabet:
    """Return the alphabet of grids in which the symbols `seen` occur.

    `shape` is `lines`, `rows` or `spaced`.
    """
    names = alphabets(side, seen)
    name, doubt = names[0], None
    if sample.requested in VALUE_RANGES:
        name = sample.requested
    elif sample.requested in {"lines", "rows"}:
        name = DIGITS_NAME
    elif side < 10 and is_doubtful(seen) and VALUES[side - 1] not in seen:
        doubt = FormatError(
            f"the values can be 0 to {side - 1}, since other cells are empty by another symbol",
            line=sample.body[0].number,
            remedy=f"write the values from 1 to {side}, or . for every empty cell",
        )
    elif len(names) > 1:
        likely = [shape if name == DIGITS_NAME else name for name in names[:2]]
        flags = (f"--from {name} ({VALUE_RANGES.get(name, DIGIT_VALUES)})" for name in likely)
        doubt = FormatError(
            f"the symbols of these {side}x{side} grids are ambiguous",
            line=sample.body[0].number,
            remedy=f"choose {' or '.join(flags)}",
        )
    named_by_shape = name == DIGITS_NAME or (shape == "spaced" and sample.requested != name)
    return Alphabet(shape if named_by_shape else name, symbols_of(name, side, seen), doubt)


def possible(side: int, requested: str | None) -> frozenset[str]:
    """Return the symbols that can occur in grids of this side with --from `requested`."""
    if requested not in VALUE_RANGES:
        return POSSIBLE[side]
    # A line of sixteen letters is a row, not a 4x4 grid.
    if side <= (4 if requested == LETTERS_NAME else 9):
        return frozenset()
    values = VALUES_OF[requested][:side]
    return frozenset(values + values.lower() + EMPTY_SYMBOLS)


def alphabets(side: int, symbols: set[str]) -> tuple[str, ...]:
    """Return the names of the alphabets in which grids with these symbols can be written.

    In grids beyond 9x9 `digits` are 1-9A-P, `letters` A-Y and `hex` 0-9A-O, so 0-F in 16x16 grids.
    As `0` is a value of `hex`, a hex grid has another symbol for empty cells, or it is full.

    >>> alphabets(9, set("120")), alphabets(16, set("AP-")), alphabets(16, set("1AF0"))
    (('digits',), ('letters',), ('digits',))
    >>> alphabets(16, set("01AF.")), alphabets(16, set("ABC.")), alphabets(12, set("1BC."))
    (('hex',), ('digits', 'letters', 'hex'), ('digits',))
    >>> alphabets(10, set("0123456789.")), alphabets(10, set("0123456789"))
    (('hex',), ('digits', 'hex'))
    """
    seen = {symbol.upper() for symbol in symbols}
    if side < 10 or not seen & set(VALUES + LETTERS + "0") - {"X"}:
        return (DIGITS_NAME,)
    matching = [name for name in VALUES_OF if _fits(name, side, seen)]
    return tuple(matching) or (DIGITS_NAME,)


def _fits(name: str, side: int, seen: set[str]) -> bool:
    values = seen - set(EMPTY_SYMBOLS.upper())
    other_empty = not seen.isdisjoint(EMPTY_SYMBOLS.upper().replace("0", ""))
    every = set(VALUES_OF[name][:side]) - {"0"}
    if name == HEX_NAME:
        return values == every or (values < every and other_empty)
    return values <= every and not (name == DIGITS_NAME and "0" in seen and other_empty)


def symbols_of(name: str, side: int, seen: set[str]) -> str:
    """Return the symbols of empty, 1, 2, ... in an alphabet.

    That of empty is taken from `seen`; letters are small if all letters in `seen` are.

    >>> symbols_of("hex", 16, set("01aBf-")), symbols_of("letters", 16, set("ab."))
    ('-0123456789ABCDEF', '.abcdefghijklmnop')
    """
    values = VALUES_OF[name][:side]
    others = {symbol.upper() for symbol in seen} - set(values)
    empty = next((symbol for symbol in EMPTY_SYMBOLS if symbol.upper() in others), ".")
    is_lower = "".join(seen - {"x", "X"}).islower()
    return empty + (values.lower() if is_lower else values)

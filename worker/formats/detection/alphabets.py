"""Which symbols a file's larger grids are written in."""

from worker.formats.symbols import EMPTY_SYMBOLS, HEX_DIGITS, LETTERS
from worker.sudoku.symbols import VALUES

#: symbols that can be in grids of a side, when no alphabet was asked for
POSSIBLE = {
    4: frozenset("1234" + EMPTY_SYMBOLS),
    9: frozenset("123456789" + EMPTY_SYMBOLS),
    16: frozenset(HEX_DIGITS + LETTERS[:16] + LETTERS[:16].lower() + EMPTY_SYMBOLS),
    25: frozenset(HEX_DIGITS + LETTERS + LETTERS.lower() + EMPTY_SYMBOLS),
}
#: names of --from by the symbols of their values
DIGITAL, LETTERED, HEXED = "digits", "letters", "hex"


def possible(side: int, asked: str | None) -> frozenset[str]:
    """The symbols that can be in grids of this side under this --from."""
    if asked == LETTERED and side > 4:  # sixteen letters are a row, no 4x4
        return frozenset(LETTERS[:side] + LETTERS[:side].lower() + EMPTY_SYMBOLS)
    if asked == HEXED and side == 16:
        return frozenset(HEX_DIGITS + HEX_DIGITS.lower() + EMPTY_SYMBOLS)
    return frozenset() if asked in {LETTERED, HEXED} else POSSIBLE[side]


def alphabets(side: int, symbols: set[str]) -> tuple[str, ...]:
    """The alphabets in which grids of this side may be written that show these symbols.

    Up to 9x9 there are only digits.  In larger grids `digits` are 1-9A-P, `letters` A-Y and `hex`
    0-F, where `0` is a value: no `G` can be there, and another symbol stands for empty.

    >>> alphabets(9, set("120")), alphabets(16, set("AP-")), alphabets(16, set("1AG0"))
    (('digits',), ('letters',), ('digits',))
    >>> alphabets(16, set("01AF.")), alphabets(16, set("01AF")), alphabets(16, set("ABC."))
    (('hex',), ('digits', 'hex'), ('digits', 'letters', 'hex'))
    """
    seen = {symbol.upper() for symbol in symbols}
    if side < 16 or not seen & set(VALUES + LETTERS + "0") - {"X"}:
        return (DIGITAL,)
    fitting = [name for name in (DIGITAL, LETTERED, HEXED) if _fits(name, side, seen)]
    return tuple(fitting) or (DIGITAL,)


def _fits(name: str, side: int, seen: set[str]) -> bool:
    values = seen - set(EMPTY_SYMBOLS.upper())
    others = seen & set(".*_-X")
    if name == HEXED:
        return (
            side == 16
            and values <= set(HEX_DIGITS)
            and (bool(others) or bool(values & set("ABCDEF")))
        )
    if name == LETTERED:
        return values <= set(LETTERS[:side])
    return values <= set(VALUES[:side]) and not ("0" in seen and others and "G" not in seen)


def symbols_of(name: str, side: int, seen: set[str]) -> str:
    """The symbols of empty, 1, 2, ... in an alphabet; empty is the one of these that was seen."""
    seen = {symbol.upper() for symbol in seen}
    if name == LETTERED:
        return _empty(seen - {"X"} if side == 25 else seen) + LETTERS[:side]
    if name == HEXED:
        return _empty(seen - {"0"}) + HEX_DIGITS
    return _empty(seen) + VALUES[:side]


def _empty(seen: set[str]) -> str:
    return next((symbol for symbol in EMPTY_SYMBOLS if symbol.upper() in seen), ".")

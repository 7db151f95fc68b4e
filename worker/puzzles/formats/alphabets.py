"""Which symbols a file's larger grids are written in."""

from worker.puzzles.formats.entry import DIGITS, EMPTY, HEX, LETTERS

#: symbols that can be in grids of a side, whatever the alphabet
POSSIBLE = {
    4: frozenset("1234" + EMPTY),
    9: frozenset("123456789" + EMPTY),
    16: frozenset(HEX + LETTERS[:16] + LETTERS[:16].lower() + EMPTY),
    25: frozenset(HEX + LETTERS + LETTERS.lower() + EMPTY),
}


def alphabet(side: int, symbols: set[str]) -> str | None:
    """Symbols of empty, 1, 2, ... of grids in which these were seen; None: undecidable.

    In 16x16 `0` may be empty (1-9A-G) or a value (0-F): a `G` decides for the first, another
    symbol of emptiness for the second.

    >>> alphabet(9, set("120")), alphabet(16, set("AP-"))
    ('0123456789', '-ABCDEFGHIJKLMNOP')
    >>> [alphabet(16, set(seen)) for seen in ("01AG", "01AF.", "01AF")]
    ['0123456789ABCDEFG', '.0123456789ABCDEF', None]
    """
    seen = {symbol.upper() for symbol in symbols}
    letters = seen & set(LETTERS) - ({"X"} if side < 25 else set())
    digits = seen & set("123456789")
    if side < 16 or not letters:
        return named_alphabet("rows", side, seen)
    if not digits:
        return named_alphabet("letters", side, seen)
    if side == 16 and "0" in seen and "G" not in letters:
        return named_alphabet("hex", side, seen) if seen & set(".*_-X") else None
    return named_alphabet("rows", side, seen)


def format_of(symbols: str) -> str | None:
    """The name of --from that stands for these symbols, if one does."""
    values = symbols[1:]
    if len(values) >= 16 and values == LETTERS[: len(values)]:
        return "letters"
    return "hex" if values == HEX else None


def named_alphabet(format_name: str, side: int, symbols: set[str]) -> str:
    """The alphabet a name of --from asks for, with the symbol of emptiness that was seen."""
    seen = {symbol.upper() for symbol in symbols}
    if format_name == "letters":
        return _empty(seen - {"X"} if side == 25 else seen) + LETTERS[:side]
    if format_name == "hex":
        return _empty(seen - {"0"}) + HEX
    return _empty(seen) + DIGITS[:side]


def _empty(seen: set[str]) -> str:
    return next((symbol for symbol in EMPTY if symbol.upper() in seen), ".")

"""The tokens of lists and objects as JSON, Python, NumPy and JavaScript write them."""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from worker.errors import PuzzleError
from worker.formats.errors import MAX_QUOTE, excerpt
from worker.formats.layout import EMPTY_SYMBOLS

#: a text in some quotes, up to them
TEXT = r"{0}(?:[^{0}\\]|\\.)*+"
#: the other tokens
OTHERS = r"""(?P<number>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)
    |(?P<open>[\[{]|(?:[^\W\d][\w.]*+)?\()
    |(?P<word>[^\W\d][\w.]*)
    |(?P<close>[\])}])|(?P<colon>:)|(?P<equals>=)
    |(?P<comment>\#.*|//.*)
    |(?P<skipped>[,;|\s]+)
    |(?P<other>.)"""
#: words without quotes that are values
WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("None", "null", "nil", "nan", "NaN")),
    **dict.fromkeys(("True", "true"), True),
    **dict.fromkeys(("False", "false"), False),
}
#: digits of a number beyond which it is taken for a text of cells
MAX_DIGITS = 2

#: a value that is neither a list nor an object
Scalar = str | float | None


class Token(NamedTuple):
    """A token, by the name of its group in OTHERS; `skipped` ones and comments are left out."""

    kind: str  #: value, word, open, close, colon, equals or other
    text: str
    value: Scalar = None  #: of a `value`


def tokens(line: str) -> Iterator[Token]:
    """Yield the tokens of a line; raise PuzzleError for a text that cannot be read.

    >>> [token.text for token in tokens("grid = [[5, None, '7'],  # a comment")]
    ['grid', '=', '[', '[', '5', 'None', "'7'", ']']
    """
    quotes, at = "\"'", 0
    while at < len(line):
        for match in _pattern(quotes).finditer(line, at):
            if match.lastgroup == "endless":
                break
            if token := _token(str(match.lastgroup), match.group()):
                yield token
        else:
            return
        at = match.start() + 1
        quotes = quotes.replace(line[at - 1], "")  # none of them begins a text behind this one
        yield Token("other", line[at - 1])


@cache
def _pattern(quotes: str) -> re.Pattern[str]:
    """Return what matches a token, if texts begin with one of these quotes."""
    texts = [TEXT.format(quote) for quote in quotes]
    closed = "|".join(text + quote for text, quote in zip(texts, quotes, strict=True))
    endless = "|".join(text + r"\\?\Z" for text in texts)
    begin = f"(?P<text>{closed})|(?P<endless>{endless})|" if quotes else ""
    return re.compile(begin + OTHERS, re.VERBOSE)


def _token(kind: str, text: str) -> Token | None:
    """Return the token of a match; None if it is left out."""
    if kind == "text":
        return Token("value", text, _unquoted(text))
    if kind == "number":
        return Token("value", text, _number(text))
    if kind == "word" and text in WORDS:
        return Token("value", text, WORDS[text])
    if text in EMPTY_SYMBOLS:
        return Token("value", text)
    if kind in {"skipped", "comment"}:
        return None
    return Token(kind, text[-1] if kind == "open" else text)  # array( is a parenthesis


def _unquoted(text: str) -> str:
    try:
        value = json.loads(text) if text.startswith('"') else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise PuzzleError(f"the text {excerpt(text, MAX_QUOTE)} cannot be read") from None
    return str(value)


def _number(text: str) -> Scalar:
    """Return a number, or the text if it has more than MAX_DIGITS digits, which are cells.

    >>> [_number(text) for text in ("7", "5.", "1e0", "530070000", "2.5")]
    [7, 5, 1, '530070000', 2.5]
    """
    if text.isdecimal():
        return int(text) if len(text) <= MAX_DIGITS else text
    try:
        value = float(text)
    except ValueError:  # such as 1.2.3
        return text
    return int(value) if value.is_integer() and abs(value) < 100 else value

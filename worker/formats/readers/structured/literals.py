"""The tokens of lists and objects as JSON, Python, NumPy and JavaScript write them."""

import ast
import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from worker.errors import PuzzleError
from worker.formats.excerpt import MAX_QUOTE, excerpt
from worker.formats.symbols import EMPTY_SYMBOLS

TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')
    |(?P<number>[-+]?\d[\d.]*(?:[eE][-+]?\d+)?)
    |(?P<open>[\[{]|(?:[^\W\d][\w.]*)?\()
    |(?P<word>[^\W\d][\w.]*)
    |(?P<close>[\])}])|(?P<colon>:)|(?P<equals>=)
    |(?P<comment>\#.*|//.*)
    |(?P<skipped>[,;|\s]+)
    |(?P<other>.)""",
    re.VERBOSE,
)
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
    """A token, by the name of its group in TOKEN; `skipped` ones and comments are left out."""

    kind: str  #: value, word, open, close, colon, equals or other
    text: str
    value: Scalar = None  #: of a `value`


def tokens(line: str) -> Iterator[Token]:
    """Yield the tokens of a line; raise PuzzleError for a text that cannot be read.

    >>> [token.text for token in tokens("grid = [[5, None, '7'],  # a comment")]
    ['grid', '=', '[', '[', '5', 'None', "'7'", ']']
    """
    for match in TOKEN.finditer(line):
        kind, text = str(match.lastgroup), match.group()
        if kind == "text":
            yield Token("value", text, _unquoted(text))
        elif kind == "number":
            yield Token("value", text, _number(text))
        elif kind == "word" and text in WORDS:
            yield Token("value", text, WORDS[text])
        elif text in EMPTY_SYMBOLS:
            yield Token("value", text)
        elif kind not in {"skipped", "comment"}:
            yield Token(kind, text[-1] if kind == "open" else text)  # array( is a parenthesis


def _unquoted(text: str) -> str:
    try:
        value = json.loads(text) if text.startswith('"') else ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise PuzzleError(f"the text {excerpt(text, MAX_QUOTE)} cannot be read") from None
    return str(value)


def _number(text: str) -> Scalar:
    """Return a number, or the text if it has so many digits that these are cells.

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

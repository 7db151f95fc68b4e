"""Removes the markup of forums and mails from lines of grids, and turns drawn boxes into ASCII."""

import re
from collections.abc import Iterable, Iterator

from worker.formats.files.text import TextBlock, decoded
from worker.sudoku.symbols import SIDES

#: characters that ASCII text with markup contains
MARKS = (">", "[", "`", "\t")
#: marks of quoted text, each with the space after it
QUOTES = re.compile(r"^\s*(?:>[ ]?)+")
#: tags of BBCode and HTML that surround grids, and fences of Markdown
TAGS = re.compile(
    r"\[/?(?:code|quote|tt|pre|b|i|u|size|color|font|spoiler|hidden|left|center)(?:=[^\]\n]{0,99})?\]"
    r"|</?(?:code|pre|tt|blockquote|p|br|b|i)[ ]?/?>|```\w*",
    re.IGNORECASE,
)
#: drawn lines as `|`, `-`, `=` and `+`, other spaces as spaces, and other dots as `.`
ASCII = str.maketrans(
    {
        **{chr(code): "+" for code in range(0x2500, 0x2580)},
        **dict.fromkeys("│┃║╎╏┆┇┊┋╽╿", "|"),
        **dict.fromkeys("─━╌╍┄┅┈┉╼╾", "-"),
        "═": "=",
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("•∙⋅◦□▢", "."),
    }
)


def without_markup(blocks: Iterable[TextBlock]) -> Iterator[TextBlock]:
    """Yield the blocks with plain lines; every line keeps its number."""
    for block in blocks:
        if not has_markup(decoded(block.data)):
            yield block
            continue
        plain = (plain_line(decoded(line)) for line in block.data.split(b"\n"))
        yield TextBlock(block.first, "\n".join(plain).encode())


def has_markup(text: str) -> bool:
    """Return whether a text may have markup."""
    return not text.isascii() or any(mark in text for mark in MARKS)


def plain_line(text: str) -> str:
    """Return a line without markup.

    >>> plain_line("> [code]│ 5 3 · │"), plain_line("5\\t\\t3\\t")
    ('| 5 3 · |', '5,,3,')
    """
    if not has_markup(text):
        return text
    text = text.translate(ASCII)
    text = TAGS.sub("", QUOTES.sub("", text))
    return _with_commas(text) if "\t" in text else text


def _with_commas(text: str) -> str:
    """Return the row of a spreadsheet with commas, since tabs at its ends would be stripped."""
    fields = text.split("\t")
    is_row = len(fields) in SIDES.values() and all(len(field.strip()) <= 2 for field in fields)
    return ",".join(fields) if is_row and "," not in text else text

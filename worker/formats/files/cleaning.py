"""Changes lines before grids are read in them: sections, markup and blanks for empty cells.

The sections of SadMan Software's `.sdk` files that are not puzzles become empty: a puzzle follows
the line `[Puzzle]`, while `[State]` has the values that the player entered, and others have pencil
marks and colours.  The markup of forums, mails and LaTeX is removed, drawn boxes and wide
digits become ASCII, and `/` between the rows of a grid is removed.  Blanks become `.` by their
places in the line.  Every line keeps its number.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from worker.formats import variants
from worker.formats.files.text import TextBlock, decoded
from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES

PUZZLE = re.compile(rb"^[ \t]*\[puzzle\][ \t]*$", re.IGNORECASE | re.MULTILINE)
#: the first line of a CSV file of Excel that names the separator
SEPARATOR = re.compile(rb"\Asep=.[ \t]*$", re.IGNORECASE | re.MULTILINE)
SECTION = re.compile(rb"[ \t]*\[\w+\][ \t]*")
#: characters that ASCII text with markup contains
MARKS = (">", "[", "`", "\t", "\\", "/", "|.")
#: marks of quoted text, each with the space after it
QUOTES = re.compile(r"^\s*(?:>[ ]?)+")
#: tags of BBCode and HTML that surround grids, and fences of Markdown
TAGS = re.compile(
    r"\[/?(?:code|quote|tt|pre|b|i|u|size|color|font|spoiler|hidden|left|center)(?:=[^\]\n]{0,99})?\]"
    r"|</?(?:code|pre|tt|blockquote|p|br|b|i)[ ]?/?>|```\w*|\\(?:begin|end)\{\w+\}(?:\{[lcr|]+\})?",
    re.IGNORECASE,
)
#: a row in LaTeX's environment `sudoku`, whose end is marked by a point
LATEX_ROW = re.compile(r"(\s*(?:\|[^|]){9}\|)\.\s*")
#: rows with `/` between them
SLASHED = re.compile(r"(?<![^\s,;|])[^\s/,;|]++(?:/[^\s/,;|]++){3,24}+")
#: drawn lines as `|`, `-`, `=` and `+`, other spaces as spaces, and other dots as `.`
ASCII = str.maketrans(
    {
        **{chr(code): "+" for code in range(0x2500, 0x2580)},
        **dict.fromkeys("│┃║╎╏┆┇┊┋╽╿", "|"),
        **dict.fromkeys("─━╌╍┄┅┈┉╼╾", "-"),
        "═": "=",
        **dict.fromkeys("\u00a0\u2007\u2009\u202f\u3000", " "),
        **dict.fromkeys("•∙⋅◦□▢\uff0e", "."),
        **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
    }
)


def puzzles_only(source: Iterator[TextBlock]) -> Iterator[TextBlock]:
    """Yield the blocks; if the first contains `[Puzzle]`, empty the lines of all other sections.

    The lines stay in place, so that line numbers in messages are those of the file.  Raises
    FormatError if one of them says that the puzzle is no ordinary sudoku.
    """
    first = next(source, None)
    if first is None:
        return
    first = first._replace(data=SEPARATOR.sub(b"", first.data))
    if PUZZLE.search(first.data) is None:
        yield first
        yield from source
        return
    inside = False  # a puzzle section
    for block in chain([first], source):
        kept = []
        for number, line in enumerate(block.data.split(b"\n"), block.first):
            is_heading = SECTION.fullmatch(line) is not None
            if is_heading:
                inside = PUZZLE.fullmatch(line) is not None
            if is_heading or not inside:
                variants.refuse(number, decoded(line))
            kept.append(line if inside and not is_heading else b"")
        yield block._replace(data=b"\n".join(kept))


def without_markup(blocks: Iterable[TextBlock]) -> Iterator[TextBlock]:
    """Yield the blocks with plain lines; every line keeps its number."""
    for block in blocks:
        yield _changed(block, plain_line) if has_markup(decoded(block.data)) else block


def _changed(block: TextBlock, change: Callable[[str], str]) -> TextBlock:
    lines = (change(decoded(line)) for line in block.data.split(b"\n"))
    return block._replace(data="\n".join(lines).encode())


def has_markup(text: str) -> bool:
    """Return whether a text may have markup."""
    return not text.isascii() or any(mark in text for mark in MARKS)


def plain_line(text: str) -> str:
    """Return a line without markup.

    >>> plain_line("> [code]│ 5 3 · │"), plain_line("5\\t\\t3\\t")
    ('| 5 3 · |', '5,,3,')
    >>> plain_line("1.3./4.../..2./...1"), plain_line("| |2| |4|5|6|7|8|9|.")
    ('1.3.4.....2....1', '| |2| |4|5|6|7|8|9|')
    """
    if not has_markup(text):
        return text
    text = text.translate(ASCII)
    text = SLASHED.sub(_without_slashes, TAGS.sub("", QUOTES.sub("", text)))
    row = LATEX_ROW.fullmatch(text)
    text = row.group(1) if row else text
    return _with_commas(text) if "\t" in text else text


def _without_slashes(match: re.Match[str]) -> str:
    """Return the rows of a grid as one text; anything else as it is."""
    rows = match.group().split("/")
    is_grid = len(rows) in SIDES.values() and {len(rows)} == set(map(len, rows))
    return "".join(rows) if is_grid else match.group()


def _with_commas(text: str) -> str:
    """Return the row of a spreadsheet with commas, since tabs at its ends would be stripped."""
    fields = text.split("\t")
    is_row = len(fields) in SIDES.values() and all(len(field.strip()) <= 2 for field in fields)
    return ",".join(fields) if is_row and "," not in text else text


class Blanks(NamedTuple):
    """How rows with blanks for empty cells are written."""

    side: int
    apart: bool = False  #: cells without a frame have a space between them

    def filled(self, blocks: Iterable[TextBlock]) -> Iterator[TextBlock]:
        """Yield the blocks with `.` in the empty cells of grids."""
        return (_changed(block, self.filled_line) for block in blocks)

    def filled_line(self, text: str) -> str:
        """Return a row or a whole grid with `.` for each blank cell; any other line unchanged.

        >>> Blanks(9).filled_line("5   7    "), Blanks(4).filled_line("| 4   |   1 |")
        ('5...7....', '4..1')
        >>> Blanks(4, apart=True).filled_line("  4   3"), Blanks(4).filled_line("4 3")
        ('.4.3', '4 3')
        >>> Blanks(9).filled_line("6     | 1 9 5 |"), Blanks(9).filled_line("  9 8 |       |   6  ")
        ('6..195...', '.98....6.')
        """
        row, boxes = text.strip(" "), BOXES[self.side][0]
        framed = row if row.startswith("|") else text
        if row.count("|") == boxes - 1:  # without a frame; the blanks at its end may be lost
            close = self.side + boxes - 1  #: width without spaces around cells
            framed = text.ljust(close if len(text) <= close else 2 * close - 1)
        match = _rows(self.side, self.apart).fullmatch(framed)
        if match is None or not row:
            return text
        return "".join(filter(None, match.groups())).replace(" ", EMPTY)


@cache
def _rows(side: int, apart: bool) -> re.Pattern[str]:
    """Return what matches a row or a whole grid, whose cells are groups; boxes may have a frame.

    All boxes of a row have one width, with or without spaces around each cell.
    """
    cell, (count, width) = f"([ {VALUES[:side]}])", BOXES[side]
    boxes = [cell * width, " ".join([cell] * width), f" {' '.join([cell] * width)} "]
    framed = [r"\|".join(["", *[box] * count, ""]) for box in boxes]
    between = [r"\|".join([box] * count).strip() for box in boxes]
    bare = (" " if apart else "").join([cell] * side)
    return re.compile("|".join([*framed, *between, bare, f"([ {VALUES[:side]}]{{{side * side}}})"]))

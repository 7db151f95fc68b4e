"""Writes puzzles and labels in every format that can be read, without code of the readers."""

import bz2
import gzip
import io
import json
import lzma
import pprint
import sys
import zipfile
from collections.abc import Callable, Sequence
from math import isqrt
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from tests.sudoku import BOXES

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: symbols of the values from 1 on in stored grids
DIGITS = "123456789ABCDEFGHIJKLMNOP"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXY"


class Named(NamedTuple):
    """A puzzle and its label."""

    label: str
    text: str


Write = Callable[[Sequence[Named]], str]


class Way(NamedTuple):
    """A way to write puzzles, and the labels that are expected when they are read."""

    name: str
    write: Write
    label: Callable[[int, str], str | None] = lambda _, __: None
    side: int = 9
    requested: str | None = None  #: value of --from, if the file alone is ambiguous
    most: int = 4  #: puzzles in a file


def rows(text: str, width: int | None = None) -> list[str]:
    """A grid split into rows, or any text into pieces of a width."""
    width = width or isqrt(len(text))
    return [text[at : at + width] for at in range(0, len(text), width)]


def _each(line: Callable[[Named], str], before: str = "", after: str = "") -> Write:
    return lambda some: before + "".join(line(one) + "\n" for one in some) + after


def _grids(write: Callable[[str], str], between: str = "\n") -> Write:
    return lambda some: between.join(write(one.text) for one in some)


def _rows(text: str) -> str:
    return "".join(f"{row}\n" for row in rows(text))


def _spaced(text: str) -> str:
    values = ("." + DIGITS).index
    return "".join(" ".join(str(values(cell)) for cell in row) + "\n" for row in rows(text))


def _banded(rule: str, lines: list[str]) -> str:
    """Rows with a rule after each band of boxes."""
    height, _ = BOXES[len(lines)]
    bands = (lines[at : at + height] for at in range(0, len(lines), height))
    return rule.join(map("".join, bands))


def _framed(text: str) -> str:
    lines = ["|" + "|".join(rows(row, 3)) + "|\n" for row in rows(text)]
    bands = _banded("|---+---+---|\n", lines)
    return f"*-----------*\n{bands}*-----------*\nSimple Sudoku Version 4.2n\n"


def _readable(text: str) -> str:
    height, width = BOXES[isqrt(len(text))]
    boxes = (rows(row, width) for row in rows(text))
    lines = [" " + " | ".join(map(" ".join, row)) + " \n" for row in boxes]
    return _banded("|".join(["-" * (2 * width + 1)] * height) + "\n", lines)


def _headed(some: Sequence[Named]) -> str:
    return "".join(f"Grid {one.label}\n{_rows(one.text)}" for one in some)


def _counted(some: Sequence[Named]) -> str:
    return f"{len(some)}\n" + "".join(_rows(one.text) for one in some)


def _sections(some: Sequence[Named]) -> str:
    (one,) = some
    state = _rows("123456789" * 9)
    return f"#AAnna\n#LEasy\n[Puzzle]\n{_rows(one.text)}[State]\n{state}"


def _in(symbols: str) -> Callable[[str], str]:
    """Translates stored grids to these symbols, of which the first is empty."""
    table = str.maketrans("." + DIGITS[: len(symbols) - 1], symbols)
    return lambda text: text.translate(table)


def _table(between: str) -> Write:
    """A table whose solutions fit no puzzle, so that only their column identifies them."""

    def line(one: Named) -> str:
        label = '"' + one.label.replace('"', '""') + '"'
        return between.join([one.text.replace(".", "0"), "1" * 81, label, "27"])

    return _each(line, between.join(["puzzle", "solution", "id", "clues"]) + "\n")


def _json(one: Named) -> str:
    return json.dumps({"id": one.label, "puzzle": one.text, "kind": "target", "more": [1]})


def _python(some: Sequence[Named]) -> str:
    def values(text: str) -> list[list[int]]:
        return [[("." + DIGITS).index(cell) for cell in row] for row in rows(text)]

    return f"sudokus = {pprint.pformat([values(one.text) for one in some])}\n"


def _array(some: Sequence[Named]) -> str:
    return json.dumps([{"name": one.label, "board": rows(one.text)} for one in some], indent=1)


def _opensudoku(some: Sequence[Named]) -> str:
    games = (
        f"<folder name={quoteattr(one.label)}><game data={quoteattr(one.text.replace('.', '0'))}/>"
        "</folder>\n"
        for one in some
    )
    return f'<?xml version="1.0"?>\n<opensudoku version="2">{"".join(games)}</opensudoku>\n'


def _versioned(some: Sequence[Named]) -> str:
    """Games in which the player entered a 5 into every empty cell."""

    def data(text: str) -> str:
        return "".join("5|0|0|1|" if cell == "." else f"{cell}|0|0|0|" for cell in text)

    games = (
        f"<folder name={quoteattr(one.label)}>"
        f'<game created="0" state="1" data="version: 3&#10;{data(one.text)}"/></folder>\n'
        for one in some
    )
    return f'<opensudoku version="2">{"".join(games)}</opensudoku>\n'


def _same(_: int, label: str) -> str | None:
    return label


WAYS = (
    Way("lines", _each(lambda one: one.text)),
    Way("zeros", _each(lambda one: one.text.replace(".", "0"), "# all mine\n")),
    Way("tail", _each(lambda one: f"{one.text} # {one.label}"), _same),
    Way("serate", _each(lambda one: f"{one.text} ED=7.2/1.2/1.2"), lambda *_: "ED=7.2/1.2/1.2"),
    Way("tdoku", _each(lambda one: f"{one.text}:1:{one.text.replace('.', '1')}"), lambda *_: "1"),
    Way("head", _each(lambda one: f"{one.label}, {one.text.replace('.', '0')}  7.2"), _same),
    Way("hodoku", _each(lambda one: f":0000:x:{one.text}:::"), lambda *_: "0000:x"),
    Way("end", _each(lambda one: one.text, after="end\n")),
    Way("rows", _grids(_rows)),
    Way("norvig", _grids(_rows, "========\n")),
    Way("headed", _headed, lambda _, label: f"Grid {label}"),
    Way("counted", _counted),
    Way("spaced", _grids(_spaced)),
    Way("commas", _grids(lambda text: _spaced(text).replace(" ", ","))),
    Way("sdk", lambda some: "#AAnna\n#LEasy\n" + _rows(some[0].text), most=1),
    Way("sections", _sections, most=1),
    Way("simple", _grids(_framed, "")),
    Way("qqwing", _grids(_readable)),
    Way("csv", _table(","), _same),
    Way("tsv", _table("\t"), _same),
    Way("semicolons", _table(";"), _same),
    Way("jsonl", _each(_json), _same),
    Way("array", _array, _same),
    Way("python", _python, lambda *_: "sudokus"),
    Way("opensudoku", _opensudoku, _same),
    Way("opensudoku-2", _versioned, _same),
    Way(
        "letters", _grids(lambda t: _rows(_in("-" + LETTERS[:16])(t))), side=16, requested="letters"
    ),
    Way("hex", _grids(lambda t: _rows(_in(".0123456789ABCDEF")(t))), side=16, requested="hex"),
    Way("16", _grids(_rows), side=16, requested="rows"),
    Way("16-lines", _each(lambda one: one.text), side=16, requested="lines"),
    Way("16-numbers", _grids(_spaced), side=16),
    Way("25-numbers", _grids(_spaced), side=25),
    Way("25-letters", _grids(lambda t: _rows(_in("-" + LETTERS)(t))), side=25, requested="letters"),
    Way("6", _each(lambda one: one.text), side=6),
    Way("6-rows", _grids(_rows), side=6),
    Way("6-blank", _grids(lambda text: _banded("\n", [f"{row}\n" for row in rows(text)])), side=6),
    Way("6-numbers", _grids(_spaced), side=6),
    Way("6-framed", _grids(_readable), side=6),
    Way("8-framed", _grids(_readable), side=8),
    Way("10-zeros", _each(lambda one: _in(".0123456789")(one.text)), side=10, requested="hex"),
    Way("12", _each(lambda one: one.text), side=12, requested="lines"),
    Way("12-numbers", _grids(_spaced), side=12),
    Way("15-rows", _grids(_rows), side=15, requested="rows"),
    Way(
        "20-letters",
        _grids(lambda t: _rows(_in("." + LETTERS[:20])(t))),
        side=20,
        requested="letters",
    ),
    Way("4", _each(lambda one: one.text), side=4, requested="lines"),
)


def _zipped(data: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles", data)
    return whole.getvalue()


#: compressors by file name extension
CONTAINERS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": lambda data: gzip.compress(data, 1),
    ".zst": zstd.compress,
    ".bz2": lambda data: bz2.compress(data, 1),
    ".xz": lambda data: lzma.compress(data, preset=0),
    ".zip": _zipped,
}

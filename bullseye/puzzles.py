"""Puzzles of a Python program, read by the same readers as files."""

import io
import os
import re
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.covers.decoding import validate
from worker.covers.text import ONCE, encode
from worker.errors import PuzzleError
from worker.formats.errors import label, quantity
from worker.formats.extras import of_members
from worker.formats.layout import EXPECTED_CELLS, INVALID
from worker.formats.names import ENGLISH_PUZZLES, LABELS, PUZZLES, SOLUTIONS
from worker.formats.source import Source, open_source, source_of
from worker.sudoku.symbols import SIDES

#: begins a comment in files
COMMENT = "#"
#: what a text of Python can have, but no file in UTF-8
SURROGATE = re.compile("[\ud800-\udfff]")
#: NumPy's kinds of numbers: booleans, integers and floating point
NUMBERS = "biuf"


@dataclass(frozen=True)
class Cover:
    """An exact cover problem: sets of items, of which some are to be chosen.

    Items may be any hashable objects.  Each must be in exactly one chosen option; an item in
    `secondary` in at most one, and an item with a multiplicity in as many as its least and greatest
    number allow.  An option that has only secondary items is never chosen.  A plain list of sets is
    such a problem without secondary items, costs and multiplicities.
    """

    options: Sequence[Iterable[Hashable]]
    costs: Sequence[int] | None = None  #: of each option; `target` minimises their sum
    secondary: Collection[Hashable] = ()
    multiplicities: Mapping[Hashable, tuple[int, int]] = field(default_factory=dict)

    def to_json(self) -> str:
        """Return the text in which the problem is stored and solved; items become numbers.

        Raises PuzzleError if there is no primary item, an option has an item twice, a cost is not a
        whole number of at most a thousand millions, or an item that is not primary has a
        multiplicity.

        >>> Cover([{"a"}, {"b", "c"}], secondary="c").to_json()
        '{"items":2,"secondary":1,"options":[[1],[2,3]],"names":["a","b","c"]}'
        """
        options = [list(option) for option in self.options]
        secondary = dict.fromkeys(self.secondary)
        items = {item: None for option in options for item in option if item not in secondary}
        numbers = {item: number for number, item in enumerate([*items, *secondary], start=1)}
        if not items:
            raise PuzzleError("no primary item, so nothing to cover")
        for item in self.multiplicities:
            if item not in items:
                raise PuzzleError(f"{item!r} has a multiplicity, but is no primary item")
        names = [str(item).encode(errors="replace").decode() for item in numbers]
        members = {
            "items": len(items),
            "secondary": len(secondary),
            "options": [sorted(numbers[item] for item in option) for option in options],
            "costs": None if self.costs is None else [_plain(cost) for cost in self.costs],
            "names": names,
            "multiplicities": [
                [_plain(times) for times in self.multiplicities.get(item, ONCE)] for item in items
            ],
        }
        return encode(validate(members))


def _plain(number: object) -> object:
    """Return a whole number of NumPy as an int of Python."""
    return int(number) if isinstance(number, Integral) else number


#: what can be solved: see `open_puzzles`
Puzzles = Any


@contextmanager
def open_puzzles(puzzles: Puzzles) -> Iterator[Source]:
    """Open puzzles in one of these forms, and yield their source.

    - a text or bytes, with one puzzle or many, in any format that files may have
    - a path (`pathlib.Path`) of a file
    - an iterable of texts, each of which is a grid
    - a NumPy array of numbers with the shape n x 9 x 9, n x 81, 9 x 9 or 81 (or other sizes of
      grids), 0 for an empty cell; or a matrix of booleans, an exact cover with an option per row
    - a DataFrame with a column named `puzzle`, or another name that CSV files may have; its
      further columns are kept in `extra`
    - an exact cover: a list of sets, or a `Cover`; or an iterable of these

    Raises PuzzleError, with a sentence that names the place, if they cannot be read.
    """
    if isinstance(puzzles, os.PathLike):
        with open_source(os.fspath(puzzles)) as source:
            yield source
    elif isinstance(puzzles, str | bytes):
        yield _text(puzzles)
    elif isinstance(puzzles, Cover):
        yield _covers([puzzles])
    else:
        yield _of_frame(puzzles) if hasattr(puzzles, "columns") else _many(puzzles)


def _text(text: str | bytes) -> Source:
    if isinstance(text, str) and os.path.isfile(text):  # noqa: PTH113 # false for any other text
        raise PuzzleError(f"{text!r} is the name of a file: give pathlib.Path({text!r})")
    return source_of("text", _encoded(text) if isinstance(text, str) else io.BytesIO(text))


def _encoded(text: str) -> io.BytesIO:
    """Return a text as UTF-8; `encode` would write a surrogate as `?`, which is an empty cell."""
    return io.BytesIO(SURROGATE.sub("\ufffd", text).encode())


def _of_frame(frame: Any) -> Source:
    """Read a DataFrame of pandas or Polars: its column of puzzles, their labels and extras."""
    named = {str(name).lower(): name for name in reversed(list(frame.columns))}
    puzzle = next((name for name in named if name in PUZZLES), None)
    if puzzle is None:
        raise PuzzleError(
            f"the DataFrame has no column of puzzles: name it one of {', '.join(ENGLISH_PUZZLES)}"
        )
    source = _many(frame[named.pop(puzzle)])
    names = next(([named.pop(one)] for one in LABELS if one in named), [])
    others = [name for lower, name in named.items() if lower not in SOLUTIONS]
    labels = [label(str(value)) for name in names for value in _values(frame[name])]
    columns = {str(name): _values(frame[name]) for name in reversed(others)}
    rows = zip(*columns.values(), strict=True) if columns else [()] * len(frame)
    extra = [of_members(dict(zip(columns, row, strict=True))) for row in rows]
    source.name_puzzles(labels or [None] * len(frame), extra)
    return source


def _values(column: Any) -> list[Any]:
    """Return the values of a column, with None for those that are missing."""
    if hasattr(column, "notna"):  # of pandas
        column = column.astype(object).where(column.notna(), None)
    return list(column.to_list())


def _many(puzzles: Any) -> Source:
    if isinstance(puzzles, np.ndarray) and puzzles.dtype.kind in NUMBERS:
        return _array(puzzles)
    if isinstance(puzzles, Mapping) or not isinstance(puzzles, Iterable):
        raise _no_puzzle("", puzzles)
    items = list(puzzles)
    if all(isinstance(item, str) for item in items):
        return _texts(items)
    if all(isinstance(item, Set) for item in items):
        return _covers([Cover(items)])
    if all(_is_cover(item) for item in items):
        return _covers([item if isinstance(item, Cover) else Cover(item) for item in items])
    array = _as_array(items)
    if array is None or array.dtype.kind not in NUMBERS:
        number, item = next(one for one in enumerate(items, 1) if not isinstance(one[1], str))
        raise _no_puzzle(f"list line {number}: ", item)
    return _array(array)


def _no_puzzle(place: str, value: object) -> PuzzleError:
    kind = type(value).__name__
    return PuzzleError(f"{place}{kind} is not a puzzle: give texts, arrays of numbers, or covers")


def _is_cover(value: Any) -> bool:
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return isinstance(value, Cover) or (is_list and all(isinstance(one, Set) for one in value))


def _as_array(rows: list[Any]) -> NDArray[Any] | None:
    try:
        return np.array(rows)
    except ValueError:  # rows of different lengths
        return None


def _array(array: NDArray[Any]) -> Source:
    """Read an array as from a file of NumPy."""
    file = io.BytesIO()
    np.save(file, np.ascontiguousarray(np.atleast_2d(array)))
    file.seek(0)
    matrix = "matrix" if array.dtype.kind == "b" else None
    return source_of("array", file, matrix, each=True)


def _texts(texts: Sequence[str]) -> Source:
    """Read texts as the lines of a file, so that the number of a line is that of its text."""
    lines = "\n".join(texts).split()
    if list(map(len, lines)) != list(map(len, texts)):  # some have spaces, or are empty
        lines = ["".join(text.split()) for text in texts]
    if not SIDES.keys() >= set(map(len, lines)):
        number, line = next(one for one in enumerate(lines, 1) if len(one[1]) not in SIDES)
        cells = quantity(len(line), "cell")
        raise PuzzleError(f"list line {number}: {cells}, expected {EXPECTED_CELLS}")
    # A comment would be left out, and the numbers of all later lines would be wrong.
    content = "\n".join(lines).replace(COMMENT, INVALID)
    return source_of("list", _encoded(content), "lines", each=True)


def _covers(covers: Sequence[Cover]) -> Source:
    lines = []
    for number, cover in enumerate(covers, start=1):
        try:
            lines.append(cover.to_json())
        except PuzzleError as error:
            raise PuzzleError(f"covers line {number}: {error}") from None
    return source_of("covers", io.BytesIO("\n".join(lines).encode()), "jsonl")

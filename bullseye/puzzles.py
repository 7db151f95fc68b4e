"""Puzzles of a Python program, read by the same readers as files."""

import io
import os
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from worker.covers.text import encode, validate
from worker.errors import PuzzleError
from worker.formats.excerpt import quantity
from worker.formats.readers.columns import PUZZLES
from worker.formats.source import Source, open_source, source_of
from worker.formats.symbols import INVALID
from worker.sudoku.symbols import SIDES

#: begins a comment in files
COMMENT = "#"
#: NumPy's kinds of numbers: booleans, integers and floating point
NUMBERS = "biuf"


@dataclass(frozen=True)
class Cover:
    """An exact cover problem: sets of items, of which some are to be chosen.

    Items may be any hashable objects.  Each must be in exactly one chosen option; an item in
    `secondary` in at most one.  An option that has only secondary items is never chosen.  A plain
    list of sets is such a problem without secondary items and costs.
    """

    options: Sequence[Iterable[Hashable]]
    costs: Sequence[int] | None = None  #: of each option, 0 or more; `target` minimises their sum
    secondary: Collection[Hashable] = ()

    def to_json(self) -> str:
        """Return the text in which the problem is stored and solved; items become numbers.

        Raises PuzzleError if an option has an item twice, or a cost is not a number of the range.

        >>> Cover([{"a"}, {"b", "c"}], secondary="c").to_json()
        '{"items":2,"secondary":1,"options":[[1],[2,3]],"names":["a","b","c"]}'
        """
        options = [list(option) for option in self.options]
        secondary = dict.fromkeys(self.secondary)
        items = {item: None for option in options for item in option if item not in secondary}
        numbers = {item: number for number, item in enumerate([*items, *secondary], start=1)}
        names = [str(item).encode(errors="replace").decode() for item in numbers]
        members = {
            "items": len(items),
            "secondary": len(secondary),
            "options": [sorted(numbers[item] for item in option) for option in options],
            "costs": None if self.costs is None else [int(cost) for cost in self.costs],
            "names": names,
        }
        return encode(validate(members))


#: what can be solved: see `open_puzzles`
Puzzles = Any


@contextmanager
def open_puzzles(puzzles: Puzzles) -> Iterator[Source]:
    """Open puzzles in one of these forms, and yield their source.

    - a text, with one puzzle or many, in any format that files may have
    - a path (`pathlib.Path`) of a file
    - an iterable of texts, each of which is a grid
    - a NumPy array of numbers with the shape n x 9 x 9, n x 81 or 9 x 9 (or other sizes of grids),
      0 for an empty cell; or a matrix of booleans, an exact cover with an option per row
    - a DataFrame with a column named `puzzle`, or another name that CSV files may have
    - an exact cover: a list of sets, or a `Cover`; or an iterable of these

    Raises PuzzleError, with a sentence that names the place, if they cannot be read.
    """
    if isinstance(puzzles, os.PathLike):
        with open_source(os.fspath(puzzles)) as source:
            yield source
    elif isinstance(puzzles, str):
        yield source_of("text", puzzles.encode(errors="replace"))
    elif isinstance(puzzles, Cover):
        yield _covers([puzzles])
    else:
        yield _many(_column(puzzles) if hasattr(puzzles, "columns") else puzzles)


def _column(frame: Any) -> Any:
    """Return the column of puzzles of a DataFrame of pandas or Polars."""
    found = [name for name in frame.columns if str(name).lower() in PUZZLES]
    if not found:
        raise PuzzleError(
            f"the DataFrame has no column of puzzles: name it one of {', '.join(sorted(PUZZLES))}"
        )
    return frame[found[0]]


def _many(puzzles: Any) -> Source:
    if isinstance(puzzles, np.ndarray) and puzzles.dtype.kind in NUMBERS:
        return _array(puzzles)
    items = list(puzzles)
    if all(isinstance(item, str) for item in items):
        return _texts(items)
    if all(isinstance(item, Set) for item in items):
        return _covers([Cover(items)])
    if all(_is_cover(item) for item in items):
        return _covers([item if isinstance(item, Cover) else Cover(item) for item in items])
    array = _as_array(items)
    if array is None or array.dtype.kind not in NUMBERS:
        kinds = ", ".join(sorted({type(item).__name__ for item in items}))
        raise PuzzleError(f"objects of type {kinds} are not puzzles: give texts, arrays or covers")
    return _array(array)


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
    np.save(file, np.ascontiguousarray(array))
    matrix = "matrix" if array.dtype.kind == "b" else None
    return source_of("array", file.getvalue(), matrix)


def _texts(texts: Sequence[str]) -> Source:
    """Read texts as the lines of a file, so that the number of a line is that of its text."""
    lines = "\n".join(texts).split()
    if list(map(len, lines)) != list(map(len, texts)):  # some have spaces, or are empty
        lines = ["".join(text.split()) for text in texts]
    if not SIDES.keys() >= set(map(len, lines)):
        number, line = next(one for one in enumerate(lines, 1) if len(one[1]) not in SIDES)
        sizes = ", ".join(map(str, SIDES))
        raise PuzzleError(f"list line {number}: {quantity(len(line), 'cell')}, expected {sizes}")
    # A comment would be left out, and the numbers of all later lines would be wrong.
    content = "\n".join(lines).replace(COMMENT, INVALID)
    return source_of("list", content.encode(errors="replace"), "lines")


def _covers(covers: Sequence[Cover]) -> Source:
    lines = [cover.to_json() for cover in covers]
    return source_of("covers", "\n".join(lines).encode(), "jsonl")

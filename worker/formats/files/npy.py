"""NumPy's arrays (`.npy`) as lines of text, which are then read like those of any file.

What the header says is matched, never evaluated, and pickled objects are never loaded.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.formats.errors import FormatError
from worker.formats.excerpt import excerpt
from worker.formats.files.text import BLOCK, HEAD, LONGEST, Block, Readable
from worker.sudoku.symbols import SIDES

#: bytes that a header may have, as for NumPy itself
LONGEST_HEADER = 10_000
#: bytes in front of the header, by version: magic, version, and how long the header is
FRONT = {1: 10, 2: 12, 3: 12}
DESCR = re.compile(r"""["']descr["']\s*:\s*["']([^"']*)["']""")
ORDER = re.compile(r"""["']fortran_order["']\s*:\s*(True|False)""")
SHAPE = re.compile(r"""["']shape["']\s*:\s*\(([0-9L, ]*)\)""")
SIZE = re.compile("[0-9]{1,18}")
#: whole numbers, truth values, and floating point numbers; objects are O
NUMBER = re.compile("[|]?[biu]1|[<>=]?(?:[iu][1248]|f[248])")

#: what stands for a value that is none
BAD = ord("?")

Rows = NDArray[Any]


class Array(NamedTuple):
    """What a header says."""

    dtype: str
    shape: tuple[int, ...]


class Form(NamedTuple):
    """How the array becomes lines: so many pieces, of so many lines of so many cells each."""

    pieces: int
    lines: int
    cells: int
    most: int  #: the largest value that there may be


def array_lines(start: bytes, rest: Readable, name: str, asked: str | None) -> Iterator[Block]:
    """The array in a file that begins with `start`: its grids or the rows of its matrix."""
    bytes_ = _Bytes(start, rest, name)
    array = _header(bytes_, name)
    form = _form(array, asked, name)
    dtype = np.dtype(array.dtype.replace("b", "u"))  # a truth value may be any byte in a file
    size = form.lines * form.cells * dtype.itemsize
    done, first, room = 0, 1, HEAD
    while done < form.pieces:
        count = min(max(1, room // (form.lines * form.cells)), form.pieces - done)
        data = bytes_.take(count * size)
        if len(data) < count * size:
            what = f"ends after {done + len(data) // size:,} of {form.pieces:,} {_pieces(form)}"
            raise FormatError(name, what, cure="get it anew")
        rows = np.frombuffer(data, dtype).reshape(-1, form.cells)
        good = _good(rows, form)
        if not done and not good.reshape(count, -1).all(axis=1).any():
            raise _all_odd(_value(rows[~good][0].item()), form, name)
        yield Block(first, _text(rows, form, good))
        first += count * _height(form)
        done, room = done + count, BLOCK
    if bytes_.take(1):
        raise FormatError(name, "has bytes behind its array", cure="save the array anew")


class _Bytes:
    """A stream of which the beginning was read already."""

    def __init__(self, start: bytes, rest: Readable, name: str) -> None:
        self._start = start
        self._rest = rest
        self._name = name

    def take(self, size: int) -> bytes:
        """So many bytes; fewer only at the end."""
        parts = [self._start[:size]]
        self._start = self._start[size:]
        missing = size - len(parts[0])
        while missing and (more := self._read(missing)):
            parts.append(more)
            missing -= len(more)
        return b"".join(parts)

    def _read(self, size: int) -> bytes:
        try:
            return self._rest.read(min(size, BLOCK))
        except OSError as error:
            what = f"cannot be read ({error.strerror or error})"
            raise FormatError(self._name, what) from error


def _header(content: _Bytes, name: str) -> Array:
    """What the file says of itself, or FormatError."""
    magic = content.take(8)
    version = magic[6] if len(magic) == 8 else 0
    if version not in FRONT:
        told = f"version {version} of NumPy's format" if version else "a NumPy array cut short"
        raise FormatError(name, f"is {told}", cure="save it anew: numpy.save(FILE, a)")
    length = content.take(FRONT[version] - 8)
    size = int.from_bytes(length, "little")
    if size > LONGEST_HEADER:
        raise FormatError(name, f"has a header of {size:,} bytes", cure="save the array anew")
    told = content.take(size).decode("latin-1")
    descr, order, shape = DESCR.search(told), ORDER.search(told), SHAPE.search(told)
    if len(told) < size or not order or not shape:
        raise FormatError(name, "has no header of a NumPy array", cure="save the array anew")
    if not descr or not NUMBER.fullmatch(descr[1]):
        raise FormatError(name, _of_what(descr), cure="save numbers: a.astype('int8')")
    if order[1] == "True":
        cure = "save it row by row: numpy.save(FILE, numpy.ascontiguousarray(a))"
        raise FormatError(name, "is an array in Fortran's order", cure=cure)
    return Array(descr[1], _shape(shape[1], name))


def _of_what(descr: re.Match[str] | None) -> str:
    if descr and descr[1].endswith("O"):
        return "is an array of Python objects, and those are never loaded"
    kind = f" ({excerpt(descr[1])[:20]})" if descr else ""
    return f"is an array of values that are no plain numbers{kind}"


def _shape(told: str, name: str) -> tuple[int, ...]:
    sizes = [size for size in told.replace("L", "").replace(" ", "").split(",") if size]
    if not all(map(SIZE.fullmatch, sizes)):
        raise FormatError(name, "has a shape beyond all bounds", cure="save the array anew")
    return tuple(map(int, sizes))


def _form(array: Array, asked: str | None, name: str) -> Form:
    """How an array of this shape is to be read, or FormatError."""
    shape = array.shape
    if asked == "matrix":
        if len(shape) != 2 or not 0 < shape[1] <= LONGEST:
            what = (
                f"{_told(shape)}, and a matrix has two dimensions, and at most {LONGEST:,} columns"
            )
            raise FormatError(name, what)
        return Form(shape[0], 1, shape[1], 1)
    if shape == (16, 16):
        cure = "reshape it to (1, 16, 16) or to (16, 4, 4)"
        raise FormatError(name, "can be one 16x16 grid or sixteen of 4x4", cure=cure)
    square = len(shape) > 1 and shape[-1] == shape[-2] and shape[-1] in SIDES.values()
    if square and len(shape) <= 3:
        return _grids(shape[0] if len(shape) == 3 else 1, shape[-1])
    if len(shape) == 2 and shape[1] in SIDES:
        return _grids(shape[0], SIDES[shape[1]])
    cure = "reshape it" if len(shape) != 2 else "say --from matrix if this is an exact cover"
    what = f"{_told(shape)}, and grids are n x 9 x 9 or n x 81 (4x4, 16x16, 25x25 as well)"
    raise FormatError(name, what, cure=cure, candidates=("matrix",) * (len(shape) == 2))


def _told(shape: tuple[int, ...]) -> str:
    return f"is an array of {' x '.join(map(str, shape)) or 'no dimension'}"


def _grids(count: int, side: int) -> Form:
    """One a line; where a value may have two digits, a row a line."""
    return Form(count, 1, side * side, side) if side == 9 else Form(count, side, side, side)


def _height(form: Form) -> int:
    """The lines of a piece; a blank one ends a grid of several."""
    return form.lines + (form.lines > 1)


def _pieces(form: Form) -> str:
    return "rows" if form.most == 1 else "grids"


def _good(rows: Rows, form: Form) -> NDArray[np.bool_]:
    """Which values are cells."""
    with np.errstate(invalid="ignore"):
        good = (rows >= 0) & (rows <= form.most)
        if rows.dtype.kind == "f":
            good &= rows == np.rint(rows)
    return good


def _all_odd(value: str, form: Form, name: str) -> FormatError:
    """For a file that does not begin with a single grid, or row of a matrix."""
    what = f"holds values such as {value}, and none of its first {_pieces(form)} is without"
    cure = "entries are 0 or 1" if form.most == 1 else f"cells are 0 (empty) or 1 to {form.most}"
    return FormatError(name, what, cure=cure)


def _text(rows: Rows, form: Form, good: NDArray[np.bool_]) -> bytes:
    """The lines of these rows."""
    if form.lines > 1:
        written = [" ".join(map(_value, row)) for row in rows.tolist()]
        ended = range(form.lines, len(written) + 1, form.lines)
        return "".join("\n".join(written[at - form.lines : at]) + "\n\n" for at in ended).encode()
    lines = np.full((len(rows), form.cells + 1), ord("\n"), np.uint8)
    lines[:, :-1] = np.where(good, rows, BAD - ord("0")).astype(np.uint8) + ord("0")
    return lines.tobytes()


def _value(value: float) -> str:
    """Whole numbers without a point, others as they are."""
    return str(int(value)) if value == value // 1 else str(value)

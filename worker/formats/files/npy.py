"""Turns NumPy arrays (`.npy`) into lines of text, which are then read like those of any file.

The header is parsed by `numpy.lib.format`, which evaluates literals only.  Arrays of Python objects
are rejected, so nothing is ever unpickled.
"""

import io
import tokenize
import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.lib import format as npy_format
from numpy.typing import NDArray

from worker.formats.errors import FormatError, excerpt
from worker.formats.files import text
from worker.formats.files.text import Readable, TextBlock
from worker.formats.layout import INVALID
from worker.sudoku.symbols import SIDES

#: greatest size of the header in bytes: NumPy's own limit, and 12 for version and length
MAX_HEADER_BYTES = 12 + 10_000
#: readers of the header by major version; 3 differs from 2 only in that names may be UTF-8
HEADER_READERS = {
    1: npy_format.read_array_header_1_0,
    2: npy_format.read_array_header_2_0,
    3: npy_format.read_array_header_2_0,
}
#: what parsing a damaged header raises
DAMAGED = (ValueError, TypeError, SyntaxError, tokenize.TokenError, RecursionError, MemoryError)
#: each dimension is smaller than this
MAX_DIMENSION = 2**63
#: greatest size of a number in bytes; larger floating point types differ between machines
MAX_ITEM_BYTES = 8

SAVE_NUMBERS = "save numbers: a.astype('int8')"

Values = NDArray[Any]


class Pieces(NamedTuple):
    """The division of an array into `total` grids or matrix rows, each written as `lines` lines."""

    noun: str  #: grids or rows
    total: int  #: number of pieces
    lines: int  #: number of lines in one piece
    cells: int  #: number of cells in one line
    max_value: int  #: the greatest valid value; the least is 0

    @property
    def values(self) -> int:
        """The number of values in one piece."""
        return self.lines * self.cells

    @property
    def height(self) -> int:
        """The number of lines in one piece, with the blank one after a grid of several lines."""
        return self.lines + (self.lines > 1)


def blocks(start: bytes, rest: Readable, requested: str | None) -> Iterator[TextBlock]:
    """Yield the lines of the grids or matrix rows in the array file that begins with `start`.

    Raises FormatError if the file is damaged, or the array is not of numbers or of another shape.
    """
    content = text.rewound(start, rest)
    head = io.BytesIO(content.read(MAX_HEADER_BYTES))
    shape, dtype = _header(head)
    content = text.rewound(head.read(), content)
    pieces = _pieces(shape, requested)
    done, first, room = 0, 1, text.HEAD_BYTES
    while done < pieces.total:
        count = min(max(1, room // pieces.values), pieces.total - done)
        values = _values(content, dtype, pieces, done, count)
        valid = _valid(values, pieces.max_value)
        if not done and not valid.reshape(count, -1).all(axis=1).any():
            raise _all_invalid(_number(values[~valid][0].item()), pieces)
        yield TextBlock(first, _text(values, pieces, valid), count * pieces.height)
        first += count * pieces.height
        done, room = done + count, text.BLOCK_BYTES
    if content.read(1):
        raise FormatError("has data after its array", remedy="save the array again")


def _header(head: BinaryIO) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return shape and type, and leave the stream where the values begin."""
    shape, fortran_order, dtype = _parsed(head)
    if dtype.hasobject:
        what = "is an array of Python objects, which Bullseye does not load"
        raise FormatError(what, remedy=SAVE_NUMBERS)
    if dtype.kind not in "biuf" or dtype.itemsize > MAX_ITEM_BYTES:
        what = f"is an array of {excerpt(str(dtype), 40)}, not of numbers"
        raise FormatError(what, remedy=SAVE_NUMBERS)
    if fortran_order:
        remedy = "save it row by row: numpy.save(FILE, numpy.ascontiguousarray(a))"
        raise FormatError("is an array in Fortran order", remedy=remedy)
    if not all(0 <= size < MAX_DIMENSION for size in shape):
        raise FormatError("declares an impossible shape", remedy="save the array again")
    if dtype.kind == "b":
        dtype = np.dtype(np.uint8)  # a damaged file can contain any byte
    return tuple(map(int, shape)), dtype


def _parsed(head: BinaryIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of headers that Python 2 wrote, and of bad escapes
            major, _ = npy_format.read_magic(head)
            return HEADER_READERS[major](head)
    except (KeyError, *DAMAGED) as error:
        what = "has a damaged or unknown NumPy header"
        raise FormatError(what, remedy="save the array again: numpy.save(FILE, a)") from error


def _pieces(shape: tuple[int, ...], requested: str | None) -> Pieces:
    """Return the division of an array of this shape, or raise FormatError.

    A 9x9 grid is written as one line, others with a line per row and spaces between values.
    """
    what = f"is an array of {' x '.join(map(str, shape)) or 'no dimension'}"
    if requested == "matrix":
        if len(shape) == 2 and 0 < shape[1] <= text.MAX_LINE_BYTES:
            return Pieces("rows", shape[0], 1, shape[1], 1)
        limits = f"two dimensions and 1 to {text.MAX_LINE_BYTES:,} columns"
        raise FormatError(f"{what}; a matrix has {limits}")
    if shape == (16, 16):
        remedy = "reshape it to (1, 16, 16) or to (16, 4, 4)"
        raise FormatError("can be one 16x16 grid or sixteen 4x4 grids", remedy=remedy)
    if len(shape) in {2, 3} and shape[-1] == shape[-2] and shape[-1] in SIDES.values():
        count, side = shape[0] if len(shape) == 3 else 1, shape[-1]
    elif len(shape) == 2 and shape[1] in SIDES:
        count, side = shape[0], SIDES[shape[1]]
    else:
        what += "; grids are n x 9 x 9 or n x 81 (or of another side from 4 to 25)"
        cover = "choose --from matrix if this is an exact cover"
        raise FormatError(what, remedy=cover if len(shape) == 2 else "reshape it")
    lines = 1 if side == 9 else side
    return Pieces("grids", count, lines, side * side // lines, side)


def _values(
    content: BinaryIO, dtype: np.dtype[Any], pieces: Pieces, done: int, count: int
) -> Values:
    """Read the next `count` pieces, one line of cells a row."""
    size = pieces.values * dtype.itemsize
    data = content.read(count * size)
    if len(data) < count * size:
        what = f"ends after {done + len(data) // size:,} of {pieces.total:,} {pieces.noun}"
        raise FormatError(what, remedy="copy or download it again")
    return np.frombuffer(data, dtype).reshape(-1, pieces.cells)


def _valid(values: Values, max_value: int) -> NDArray[np.bool_]:
    """Return which of the values are whole numbers from 0 to `max_value`."""
    with np.errstate(invalid="ignore"):
        valid = (values >= 0) & (values <= max_value)
        if values.dtype.kind == "f":
            valid &= values == np.rint(values)
    return valid


def _all_invalid(value: str, pieces: Pieces) -> FormatError:
    """Return the error for a file whose first pieces all have an invalid value."""
    what = f"has a value such as {value} in each of its first {pieces.noun}"
    most = pieces.max_value
    remedy = "entries are 0 or 1" if most == 1 else f"cells are 0 (empty) or 1 to {most}"
    return FormatError(what, remedy=remedy)


def _text(values: Values, pieces: Pieces, valid: NDArray[np.bool_]) -> bytes:
    if pieces.lines > 1:
        lines = [" ".join(map(_number, row)) for row in values.tolist()]
        starts = range(0, len(lines), pieces.lines)
        grids = ("\n".join(lines[start : start + pieces.lines]) for start in starts)
        return "".join(f"{grid}\n\n" for grid in grids).encode()
    text = np.full((len(values), pieces.cells + 1), ord("\n"), np.uint8)
    digits = np.where(valid, values, 0).astype(np.uint8) + ord("0")
    text[:, :-1] = np.where(valid, digits, np.uint8(ord(INVALID)))
    return text.tobytes()


def _number(value: float) -> str:
    """Return a value as text, without a point if it is whole."""
    return str(int(value)) if value == value // 1 else str(value)

"""Texts of sudokus as grids, and their least texts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worker.errors import PuzzleError
from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES
from worker.symmetry.forms import Forms, least_forms
from worker.symmetry.state import MAX_SIDE, MAX_WIDTH

#: cells of the grids that have a canonical form
CELLS = tuple(
    side * side for side, box in BOXES.items() if side <= MAX_SIDE and box.width <= MAX_WIDTH
)
#: the same, for messages
SIZES = f"{', '.join(map(str, CELLS[:-1]))} or {CELLS[-1]}"
_SYMBOLS = (EMPTY + VALUES[:MAX_SIDE]).encode()
_NUMBERS = bytes.maketrans(b"0" + _SYMBOLS, bytes([0, *range(MAX_SIDE + 1)]))
_TEXTS = bytes.maketrans(bytes(range(MAX_SIDE + 1)), _SYMBOLS)


def least_texts(puzzles: Sequence[str]) -> list[str]:
    """Return the least text of each of several sudokus of one size; raise PuzzleError."""
    return texts_of(forms_of(cells_of(puzzles)).cells)


def texts_of(grids: NDArray[np.int8]) -> list[str]:
    """Return grids as texts in which `.` is an empty cell."""
    text, size = grids.tobytes().translate(_TEXTS).decode(), grids.shape[1]
    return [text[start : start + size] for start in range(0, len(text), size)]


def forms_of(grids: NDArray[np.int8]) -> Forms:
    """Return the forms of grids whose number of cells is one of CELLS."""
    return least_forms(grids, BOXES[SIDES[grids.shape[1]]])


def cells_of(puzzles: Sequence[str]) -> NDArray[np.int8]:
    """Return texts of one length, in which `.` or 0 is an empty cell, as grids; raise PuzzleError.

    >>> cells_of(["12.." * 4])[0, :5].tolist()
    [1, 2, 0, 0, 1]
    """
    size = len(puzzles[0])
    if size not in CELLS:
        raise PuzzleError(f"a canonical form needs {SIZES} cells, not {size}")
    joined, others = "".join(puzzles).encode("ascii", "replace"), b"0" + _SYMBOLS[: SIDES[size] + 1]
    if joined.translate(None, others):
        wrong = next(
            one for one in puzzles if one.encode("ascii", "replace").translate(None, others)
        )
        raise PuzzleError(f"{wrong!r} is not a sudoku: it has other characters than digits and .")
    return np.frombuffer(joined.translate(_NUMBERS), np.int8).reshape(len(puzzles), size)

"""Texts of sudokus as grids, and their least texts."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from worker.errors import PuzzleError
from worker.sudoku.symbols import BOXES, SIDES, SYMBOLS
from worker.symmetry.forms import Forms, least_forms

#: the numbers of cells that a grid may have, for messages
SIZES = f"{', '.join(map(str, list(SIDES)[:-1]))} or {list(SIDES)[-1]}"
_NUMBERS = bytes.maketrans(f"0{SYMBOLS}".encode(), bytes([0, *range(len(SYMBOLS))]))
_TEXTS = bytes.maketrans(bytes(range(len(SYMBOLS))), SYMBOLS.encode())


def least_texts(puzzles: Sequence[str]) -> list[str]:
    """Return the least text of each of several sudokus of one size; raise PuzzleError."""
    return texts_of(forms_of(cells_of(puzzles)).cells)


def texts_of(grids: NDArray[np.int8]) -> list[str]:
    """Return grids as texts in which `.` is an empty cell."""
    text, size = grids.tobytes().translate(_TEXTS).decode(), grids.shape[1]
    return [text[start : start + size] for start in range(0, len(text), size)]


def forms_of(grids: NDArray[np.int8]) -> Forms:
    """Return the forms of grids, by grid and cell."""
    return least_forms(grids, BOXES[SIDES[grids.shape[1]]])


def cells_of(puzzles: Sequence[str]) -> NDArray[np.int8]:
    """Return texts of one length, in which `.` or 0 is an empty cell, as grids; raise PuzzleError.

    >>> cells_of(["12.." * 4])[0, :5].tolist()
    [1, 2, 0, 0, 1]
    """
    size = len(puzzles[0])
    if size not in SIDES:
        raise PuzzleError(f"a canonical form needs {SIZES} cells, not {size}")
    joined, others = (
        "".join(puzzles).encode("ascii", "replace"),
        f"0{SYMBOLS[: SIDES[size] + 1]}".encode(),
    )
    if joined.translate(None, others):
        wrong = next(
            one for one in puzzles if one.encode("ascii", "replace").translate(None, others)
        )
        raise PuzzleError(f"{wrong!r} is not a sudoku: it has other characters than digits and .")
    return np.frombuffer(joined.translate(_NUMBERS), np.int8).reshape(len(puzzles), size)

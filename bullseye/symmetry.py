"""Which sudokus are the same puzzle up to symmetry."""

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from worker.errors import PuzzleError
from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES
from worker.symmetry.forms import Arrangement, Forms, least_forms
from worker.symmetry.state import MAX_SIDE, MAX_WIDTH

#: cells of the grids that have a canonical form
CELLS = tuple(
    side * side for side, box in BOXES.items() if side <= MAX_SIDE and box.width <= MAX_WIDTH
)
__all__ = ["Arrangement", "canonical", "equivalent"]

_SYMBOLS = (EMPTY + VALUES[:MAX_SIDE]).encode()
_NUMBERS = bytes.maketrans(b"0" + _SYMBOLS, bytes([0, *range(MAX_SIDE + 1)]))
_TEXTS = bytes.maketrans(bytes(range(MAX_SIDE + 1)), _SYMBOLS)


@overload
def canonical(puzzles: str) -> str: ...  # type: ignore[overload-overlap] # a text is a sequence of texts, too
@overload
def canonical(puzzles: Sequence[str]) -> list[str]: ...
@overload
def canonical(puzzles: NDArray[Any]) -> NDArray[np.int8]: ...
def canonical(puzzles: str | Sequence[str] | NDArray[Any]) -> str | list[str] | NDArray[np.int8]:
    """Return the canonical form of a sudoku, or of each of several: the least text up to symmetry.

    Two sudokus have the same form if relabelling the digits, permuting bands, the rows of a band,
    stacks and the columns of a stack, and for square boxes transposing, turns one into the other.
    Nothing is solved, so a puzzle may have any number of solutions.  Grids are 4x4, 6x6 or 9x9:
    texts, or rows of an array of integers, in which 0 is an empty cell.

    Raises PuzzleError if one of them is no such grid.

    >>> canonical("1.......2.......")
    '.............1.2'
    """
    if isinstance(puzzles, np.ndarray):
        return _forms(_checked(puzzles)).cells
    if isinstance(puzzles, str):
        return _texts(_forms(_cells([puzzles])))[0]
    found: dict[int, str] = {}
    for size in {len(text) for text in puzzles}:
        places = [place for place, text in enumerate(puzzles) if len(text) == size]
        texts = _texts(_forms(_cells([puzzles[place] for place in places])))
        found.update(zip(places, texts, strict=True))
    return [found[place] for place in range(len(puzzles))]


def equivalent(one: str, other: str) -> Arrangement | None:
    """Return an arrangement that turns one sudoku into another; None if they are not equivalent.

    Raises PuzzleError as `canonical` does.

    >>> equivalent("1.......2.......", ".......3...4....").applied("1.......2.......")
    '.......3...4....'
    """
    if len(one) != len(other):
        return None
    forms = _forms(_cells([one, other]))
    if (forms.cells[0] != forms.cells[1]).any():
        return None
    return forms.arrangement(0).then_back(forms.arrangement(1))


def _cells(texts: Sequence[str]) -> NDArray[np.int8]:
    """Return texts of one length as grids."""
    cells = len(texts[0])
    joined = "".join(texts).encode("ascii", "replace")
    allowed = b"0" + _SYMBOLS[: round(cells**0.5) + 1]
    if cells in CELLS and joined.translate(None, allowed):
        wrong = next(
            text for text in texts if text.encode("ascii", "replace").translate(None, allowed)
        )
        raise PuzzleError(f"{wrong!r} is not a sudoku: it has other characters than digits and .")
    if cells not in CELLS:
        raise PuzzleError(f"a canonical form needs {_sizes()} cells, not {cells}")
    numbers = joined.translate(_NUMBERS)
    return np.frombuffer(numbers, np.int8).reshape(len(texts), cells)


def _checked(grids: NDArray[Any]) -> NDArray[np.int8]:
    if grids.ndim != 2 or grids.shape[1] not in CELLS:
        raise PuzzleError(f"the array must have a grid in each row, of {_sizes()} cells")
    side = round(grids.shape[1] ** 0.5)
    if not np.issubdtype(grids.dtype, np.integer) or ((grids < 0) | (grids > side)).any():
        raise PuzzleError(f"the cells of these grids are integers from 0 to {side}")
    return np.ascontiguousarray(grids, np.int8)


def _sizes() -> str:
    return f"{', '.join(map(str, CELLS[:-1]))} or {CELLS[-1]}"


def _forms(grids: NDArray[np.int8]) -> Forms:
    return least_forms(grids, BOXES[SIDES[grids.shape[1]]])


def _texts(forms: Forms) -> list[str]:
    text = forms.cells.tobytes().translate(_TEXTS).decode()
    cells = forms.cells.shape[1]
    return [text[start : start + cells] for start in range(0, len(text), cells)]

"""Which sudokus are the same puzzle up to symmetry, and what they have in common then."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from bullseye.solving import solve
from storage.values import Facts
from worker.errors import PuzzleError
from worker.facts.facts import facts_of_texts
from worker.options import MAX_FACTS_CELLS, Options
from worker.sudoku.symbols import SIDES
from worker.symmetry.forms import Arrangement
from worker.symmetry.texts import SIZES, cells_of, forms_of, least_texts, texts_of

T = TypeVar("T")

__all__ = ["Arrangement", "Facts", "canonical", "equivalent", "facts"]


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
    Nothing is solved, so a puzzle may have any number of solutions.  Grids are 4x4 to
    25x25: texts, or rows of an array of integers, in which 0 is an empty cell.

    Raises PuzzleError if one of them is no such grid, or too many arrangements of it are alike, as
    of a large grid of which almost all cells are given.

    >>> canonical("1.......2.......")
    '.............1.2'
    """
    if isinstance(puzzles, np.ndarray):
        return forms_of(_checked(puzzles)).cells
    if isinstance(puzzles, str):
        return least_texts([puzzles])[0]
    return _by_size(least_texts, puzzles)


@overload
def facts(puzzles: str, timeout: float = ...) -> Facts: ...  # type: ignore[overload-overlap] # as above
@overload
def facts(puzzles: Sequence[str] | NDArray[Any], timeout: float = ...) -> list[Facts]: ...
def facts(
    puzzles: str | Sequence[str] | NDArray[Any], timeout: float = Options().timeout
) -> Facts | list[Facts]:
    """Return what no symmetry changes of a sudoku, or of each of several.

    This is its canonical form; which clues are redundant; what singles fill; the depth of trial and
    error that solves it; and its backdoor.  `Facts` describes each of them; None is not known, or
    not known after `timeout` seconds.  `worker/facts/README.md` defines them.

    Puzzles are given as to `canonical`, and are 9x9 at most.  Raises PuzzleError if one is not.

    >>> one = facts("12...4.....3..2.")
    >>> one.minimal, one.redundant, one.placed, one.depth
    (1, None, 16, 0)
    """
    if isinstance(puzzles, np.ndarray):
        return facts(texts_of(_checked(puzzles)), timeout)
    if isinstance(puzzles, str):
        return _facts_of([puzzles], timeout)[0]
    return _by_size(lambda some: _facts_of(some, timeout), puzzles)


def _facts_of(puzzles: Sequence[str], timeout: float) -> list[Facts]:
    """Return the facts of sudokus of one size."""
    texts = texts_of(cells_of(puzzles))
    if len(texts[0]) > MAX_FACTS_CELLS:
        raise PuzzleError(f"facts need at most {MAX_FACTS_CELLS} cells, not {len(texts[0])}")
    answers = solve(texts, timeout=timeout)
    grids = [one.solution if one.solutions == 1 and one.complete else None for one in answers]
    *_, found = facts_of_texts(texts, grids, Options(classes=True, facts=True, timeout=timeout))
    return found


def _by_size(work: Callable[[Sequence[str]], Sequence[T]], puzzles: Sequence[str]) -> list[T]:
    """Return the results of puzzles, of which those of one length are worked on together."""
    found: dict[int, T] = {}
    for size in {len(text) for text in puzzles}:
        places = [place for place, text in enumerate(puzzles) if len(text) == size]
        found.update(zip(places, work([puzzles[place] for place in places]), strict=True))
    return [found[place] for place in range(len(puzzles))]


def equivalent(one: str, other: str) -> Arrangement | None:
    """Return an arrangement that turns one sudoku into another; None if they are not equivalent.

    Raises PuzzleError as `canonical` does.

    >>> equivalent("1.......2.......", ".......3...4....").applied("1.......2.......")
    '.......3...4....'
    """
    if len(one) != len(other):
        return None
    forms = forms_of(cells_of([one, other]))
    if (forms.cells[0] != forms.cells[1]).any():
        return None
    return forms.arrangement(0).then_back(forms.arrangement(1))


def _checked(grids: NDArray[Any]) -> NDArray[np.int8]:
    if grids.ndim != 2 or grids.shape[1] not in SIDES:
        raise PuzzleError(f"the array must have a grid in each row, of {SIZES} cells")
    side = round(grids.shape[1] ** 0.5)
    if not np.issubdtype(grids.dtype, np.integer) or ((grids < 0) | (grids > side)).any():
        raise PuzzleError(f"the cells of these grids are integers from 0 to {side}")
    return np.ascontiguousarray(grids, np.int8)

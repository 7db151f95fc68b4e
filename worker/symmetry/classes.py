"""The forms of solved puzzles, which are stored with the answers on request (`--classes`)."""

from collections.abc import Sequence
from hashlib import blake2b
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from storage.values import Facts
from worker.checking.grids import wrong
from worker.checking.symmetry import are_images
from worker.errors import PuzzleError, SolverFailed
from worker.sudoku.symbols import BOXES, ring_weights
from worker.symmetry.texts import cells_of, forms_of, texts_of


def class_of(canonical: str) -> int:
    """Return the number of a class: 64 bits of the BLAKE2b hash of its canonical form, signed.

    Different classes may have one number, so that forms are compared as well.

    >>> class_of("...........1.2..")
    -4016715864179025967
    """
    digest = blake2b(canonical.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def forms_of_sudokus(puzzles: Sequence[str], grids: Sequence[str | None]) -> list[Facts | None]:
    """Return the form of each of several sudokus of one size; None for too many symmetries.

    `grids` are their solutions, None for a puzzle that has not exactly one.  Raises SolverFailed if
    a form is not of its puzzle's class.
    """
    solved = [grid for grid in grids if grid is not None]
    of_solved = iter([least and class_of(least[0]) for least in _least(solved)] if solved else [])
    of_grids = (None if grid is None else next(of_solved) for grid in grids)
    return [
        least and Facts(class_of(least[0]), least[0], of_grid, least[1])
        for least, of_grid in zip(_least(puzzles), of_grids, strict=True)
    ]


def _least(grids: Sequence[str]) -> list[tuple[str, int] | None]:
    """Return the least text of each grid and its number of automorphisms."""
    try:
        cells = cells_of(grids)
        found = forms_of(cells)
    except PuzzleError:  # of one of them
        if len(grids) == 1:
            return [None]
        middle = len(grids) // 2
        return _least(grids[:middle]) + _least(grids[middle:])
    if not are_images(cells, found.arrangements, found.cells).all():
        raise SolverFailed("wrong form: it is not of the puzzle's class")
    return list(zip(texts_of(found.cells), found.automorphisms.tolist(), strict=True))


def moved_solutions(
    puzzles: Sequence[str], others: Sequence[str], solutions: Sequence[str]
) -> list[str]:
    """Return the solutions of sudokus, given equivalent ones and the solutions of these.

    Raises SolverFailed if one of them does not solve its puzzle.

    >>> moved_solutions(["2...3......3...."], ["1...3......3...."], ["1234341221434321"])
    ['2134342112434312']
    """
    forms, count = forms_of(cells_of([*puzzles, *others])), len(puzzles)
    moved = [
        forms.arrangement(count + at).then_back(forms.arrangement(at)).applied(solution)
        for at, solution in enumerate(solutions)
    ]
    if next(wrong(puzzles, moved), None) is not None:
        raise SolverFailed("wrong arrangement: it leads to no solution of the puzzle")
    return moved


def forms_of_targets(puzzles: Sequence[str], weights: Sequence[int] | None) -> list[Facts]:
    """Return the form of each of several target sudokus of one size.

    They have the symmetries of the square that keep the boxes and the weights, and digits keep
    their names, because scores depend on them.

    >>> forms_of_targets(["1" + "." * 15, "." * 15 + "1"], [1] * 16)[0].canonical
    '...............1'
    """
    side = round(len(puzzles[0]) ** 0.5)
    orders = [itemgetter(*order) for order in _symmetries(side, weights or ring_weights(side))]
    images = (["".join(order(puzzle)) for order in orders] for puzzle in puzzles)
    return list(map(_target_form, puzzles, images))


def _target_form(puzzle: str, images: Sequence[str]) -> Facts:
    least = min(images)
    return Facts(class_of(least), least, None, images.count(puzzle))


def _symmetries(side: int, weights: Sequence[int]) -> list[list[int]]:
    """Return the turns and reflections of a grid that keep its boxes and weights, cell by cell."""
    cells: NDArray[np.int64] = np.arange(side * side).reshape(side, side)
    turned = [np.rot90(cells, turns) for turns in range(4)]
    all_ = [one.ravel() for square in turned for one in (square, square.T)]
    given, box_of = np.array(weights, object), _box_of(side)
    return [
        order.tolist() for order in all_ if (given[order] == given).all() and _keeps(box_of, order)
    ]


def _box_of(side: int) -> NDArray[np.int64]:
    """Return the number of each cell's box."""
    height, width = BOXES[side]
    row, column = np.divmod(np.arange(side * side), side)
    box: NDArray[np.int64] = row // height * height + column // width
    return box


def _keeps(box_of: NDArray[np.int64], order: NDArray[np.int64]) -> bool:
    """Return whether cells of one box stay in one box."""
    pairs = set(zip(box_of.tolist(), box_of[order].tolist(), strict=True))
    return len(pairs) == len(set(box_of.tolist()))

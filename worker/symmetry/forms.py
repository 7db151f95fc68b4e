"""The least texts of grids, and the arrangements that lead to them."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from worker.compiling.entry import entry
from worker.compiling.numbers import Int, Integers
from worker.errors import PuzzleError
from worker.sudoku.symbols import BOXES, EMPTY, VALUES, Box
from worker.symmetry import wide, wide_full
from worker.symmetry.full import is_full, two_of_full
from worker.symmetry.rows import pair, place_stack
from worker.symmetry.state import (
    FIELD,
    FIRST_CANDIDATES,
    LABELS,
    MAX_CANDIDATES,
    MAX_SIDE,
    MAX_WIDTH,
    ORDER,
    ROWS,
    TRANSPOSED,
    Memory,
    begin,
    load,
    new_memory,
    ways,
)

#: grids of one call of compiled code, which Ctrl-C does not interrupt
GRIDS_AT_A_TIME = 1000


class Arrangement(NamedTuple):
    """How the cells of a grid become those of its least text."""

    transposed: bool  #: first of all, rows and columns are exchanged
    rows: tuple[int, ...]  #: then these rows, from 0, in this order
    columns: tuple[int, ...]  #: and these columns
    labels: tuple[int, ...]  #: the label of each digit from 1 on

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Self:
        """Return the arrangement of these numbers; digits that do not occur get the labels left."""
        side = len(numbers) // 3
        rows, columns, given = (numbers[at * side : (at + 1) * side] for at in range(3))
        left = iter(sorted(set(range(1, side + 1)) - set(given)))
        labels = tuple(label or next(left) for label in given)
        return cls(bool(numbers[-1]), tuple(rows), tuple(columns), labels)

    def applied(self, puzzle: str) -> str:
        """Return a puzzle after the arrangement, with `.` for empty cells.

        >>> Arrangement(False, (1, 0, 2, 3), (0, 1, 3, 2), (1, 3, 2, 4)).applied("12" + "." * 14)
        '....13..........'
        """
        side = len(self.rows)
        steps = (1, side) if self.transposed else (side, 1)
        symbols = dict(zip(VALUES, (VALUES[label - 1] for label in self.labels), strict=False))
        cells = (
            puzzle[row * steps[0] + column * steps[1]]
            for row in self.rows
            for column in self.columns
        )
        return "".join(symbols.get(cell, EMPTY) for cell in cells)

    def then_back(self, other: "Arrangement") -> "Arrangement":
        """Return this arrangement followed by the inverse of another."""
        rows = tuple(self.rows[other.rows.index(row)] for row in range(len(self.rows)))
        columns = tuple(self.columns[other.columns.index(at)] for at in range(len(self.rows)))
        labels = tuple(other.labels.index(label) + 1 for label in self.labels)
        if other.transposed:
            rows, columns = columns, rows
        return Arrangement(self.transposed != other.transposed, rows, columns, labels)


class Forms(NamedTuple):
    """The least texts of grids."""

    cells: NDArray[np.int8]  #: by grid and cell; 0 is empty
    automorphisms: Integers  #: by grid: how many arrangements lead to this text
    #: by grid, one of them: rows, columns, labels of the digits, and whether it transposes first
    arrangements: NDArray[np.int8]

    def arrangement(self, number: int) -> Arrangement:
        """Return an arrangement that leads to the text of a grid."""
        return Arrangement.of(self.arrangements[number].tolist())


@entry(__file__)
def search_forms(  # what it reads, and what it writes
    grids: NDArray[np.int8],
    first: Int,
    memory: Memory,
    cells: NDArray[np.int8],
    automorphisms: Integers,
    arrangements: NDArray[np.int8],
) -> Int:
    """Find the least texts of grids from the first on; return the first that is not done.

    That is the number of grids, unless memory is full.
    """
    height, width = memory.size[0], memory.size[1]
    side = height * width
    for number in range(first, grids.shape[0]):
        load(memory, grids, number)
        # Three lists of candidates take turns.
        old, new, count, done = 0, 1, 0, 0
        if is_full(memory):
            done = 2
            count, old, new = two_of_full(memory, cells, number)
            if count < 0:
                return number
        else:
            count = begin(memory)
        for row in range(done, side):
            count = pair(memory, old, new, count, row)
            if count < 0:
                return number
            for stack in range(height):
                old, new = new, old
                count, text = place_stack(memory, old, new, count, row, stack)
                if count < 0:
                    return number
                for place in range(width):
                    label = text >> 4 * (width - 1 - place) & FIELD
                    cells[number, row * side + stack * width + place] = label
            old, new = new, old
        automorphisms[number] = 0
        for at in range(count):
            automorphisms[number] += ways(memory, old, at)
        order, labels = memory.candidates[old, 0, ORDER], memory.candidates[old, 0, LABELS]
        rows = memory.candidates[old, 0, ROWS]
        for at in range(side):
            arrangements[number, at] = rows >> 4 * at & FIELD
            arrangements[number, side + at] = order >> 4 * at & FIELD
            arrangements[number, 2 * side + at] = labels >> 4 * at & FIELD
        arrangements[number, 3 * side] = order >> TRANSPOSED & 1
    return grids.shape[0]


@entry(__file__)
def search_wide(  # as `search_forms`
    grids: NDArray[np.int8],
    first: Int,
    memory: wide.Memory,
    cells: NDArray[np.int8],
    automorphisms: Integers,
    arrangements: NDArray[np.int8],
) -> Int:
    """Find the least texts of large grids; otherwise as `search_forms`."""
    side = memory.size[0] * memory.size[1]
    for number in range(first, grids.shape[0]):
        old, new, done = 0, 1, 0
        if wide.load(memory, grids, number):
            done = 2
            count, old, new = wide_full.two_of_full(memory, cells, number)
        else:
            count = wide.begin(memory)
        for row in range(done, side):
            if count >= 0:
                count = wide.pair(memory, old, new, count, row)
                old, new = new, old
            for column in range(side):
                if count >= 0:
                    count, label = wide.place_cell(memory, old, new, count, row, column)
                    old, new = new, old
                    cells[number, row * side + column] = label
        if count < 0:
            return number
        automorphisms[number] = wide.all_ways(memory, old, count)
        wide.write(memory, old, arrangements, number)
    return grids.shape[0]


def least_forms(grids: NDArray[np.int8], box: Box) -> Forms:
    """Return the least texts of grids, given by grid and cell.

    Raises PuzzleError if a grid has more symmetries than the search can hold, as grids have that
    repeat digits in many rows, and large ones of which almost all cells are given.
    """
    side = box.height * box.width
    forms = Forms(
        np.zeros_like(grids),
        np.zeros(len(grids), np.int64),
        np.zeros((len(grids), 3 * side + 1), np.int8),
    )
    is_wide = side > MAX_SIDE or box.width > MAX_WIDTH
    search: Any = search_wide if is_wide else search_forms
    renewed = wide.new_memory if is_wide else new_memory
    candidates = FIRST_CANDIDATES
    memory: Any = renewed(box, candidates)
    for start in range(0, len(grids), GRIDS_AT_A_TIME):
        some = [one[start : start + GRIDS_AT_A_TIME] for one in (grids, *forms)]
        done = 0
        while (done := search(some[0], done, memory, *some[1:])) < len(some[0]):
            if candidates >= MAX_CANDIDATES:
                raise PuzzleError(f"grid {start + done + 1} has too many symmetries")
            candidates *= 4
            memory = renewed(box, candidates)
    return forms


def warm_up() -> None:
    """Compile both searches, or load them from the cache."""
    for side in (4, 10):
        least_forms(np.zeros((1, side * side), np.int8), BOXES[side])

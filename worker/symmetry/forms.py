"""The least texts of grids, and the arrangements that lead to them."""

from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import entry
from worker.compiling.numbers import Int, Integers
from worker.errors import PuzzleError
from worker.sudoku.symbols import BOXES, EMPTY, VALUES, Box
from worker.symmetry.full import is_full, two_of_full
from worker.symmetry.rows import pair, place_stack
from worker.symmetry.state import (
    FIELD,
    FIRST_CANDIDATES,
    LABELS,
    MAX_CANDIDATES,
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
    def of(cls, order: int, labels: int, rows: int, side: int) -> Self:
        """Return the arrangement of a candidate; digits that do not occur get the labels left."""
        given = [labels >> 4 * digit & FIELD for digit in range(side)]
        left = iter(sorted(set(range(1, side + 1)) - set(given)))
        return cls(
            bool(order >> TRANSPOSED & 1),
            tuple(rows >> 4 * row & FIELD for row in range(side)),
            tuple(order >> 4 * column & FIELD for column in range(side)),
            tuple(label or next(left) for label in given),
        )

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
    arrangements: Integers  #: by grid: one of them, as the numbers of a candidate

    def arrangement(self, number: int) -> Arrangement:
        """Return an arrangement that leads to the text of a grid."""
        side = round(self.cells.shape[1] ** 0.5)
        order, labels, rows = self.arrangements[number].tolist()
        return Arrangement.of(order, labels, rows, side)


@entry(__file__)
def search_forms(  # what it reads, and what it writes
    grids: NDArray[np.int8],
    first: Int,
    memory: Memory,
    cells: NDArray[np.int8],
    automorphisms: Integers,
    arrangements: Integers,
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
        arrangements[number, 0] = memory.candidates[old, 0, ORDER]
        arrangements[number, 1] = memory.candidates[old, 0, LABELS]
        arrangements[number, 2] = memory.candidates[old, 0, ROWS]
    return grids.shape[0]


def least_forms(grids: NDArray[np.int8], box: Box) -> Forms:
    """Return the least texts of grids, given by grid and cell, with boxes of at most 3x3.

    Raises PuzzleError if a grid has more symmetries than the search can hold, as only grids have
    that repeat digits in many rows.
    """
    forms = Forms(
        np.zeros_like(grids), np.zeros(len(grids), np.int64), np.zeros((len(grids), 3), np.int64)
    )
    candidates = FIRST_CANDIDATES
    memory = new_memory(box, candidates)
    for start in range(0, len(grids), GRIDS_AT_A_TIME):
        some = [one[start : start + GRIDS_AT_A_TIME] for one in (grids, *forms)]
        done = 0
        while (done := search_forms(some[0], done, memory, *some[1:])) < len(some[0]):
            if candidates >= MAX_CANDIDATES:
                raise PuzzleError(f"grid {start + done + 1} has too many symmetries")
            candidates *= 4
            memory = new_memory(box, candidates)
    return forms


def warm_up() -> None:
    """Compile the search, or load it from the cache."""
    least_forms(np.zeros((1, 16), np.int8), BOXES[4])

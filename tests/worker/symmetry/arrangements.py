"""All arrangements of a grid, tried one by one: what the compiled search is compared with."""

import random
from functools import cache
from itertools import permutations, product

import numpy as np

from worker.sudoku.symbols import BOXES, EMPTY, SIDES, VALUES


@cache
def lines(groups: int, size: int) -> list[tuple[int, ...]]:
    """All orders of lines in groups: of the groups, and of the lines in each."""
    inner = list(permutations(range(size)))
    return [
        tuple(
            group * size + line
            for group, order in zip(outer, orders, strict=True)
            for line in order
        )
        for outer in permutations(range(groups))
        for orders in product(inner, repeat=groups)
    ]


class Images:
    """Arrangements of a grid, and their digits' names by the order of appearance."""

    def __init__(self, grid: str) -> None:
        box = BOXES[SIDES[len(grid)]]
        self.side = box.height * box.width
        values = [(EMPTY + VALUES).index(cell) for cell in grid]
        square = np.array(values, np.uint8).reshape(self.side, self.side)
        self.sources = np.array([square, square.T][: 1 + (box.height == box.width)])
        self.rows, self.columns = (np.array(lines(*one)) for one in (box[::-1], box))
        counts = len(self.sources), len(self.rows), len(self.columns)
        each = np.indices(counts, np.int16).reshape(3, -1)
        #: by arrangement: whether it is transposed, its rows, its columns, names and the next name
        self.some = [*each, np.zeros((each.shape[1], self.side + 1), np.uint8)]
        self.some.append(np.ones(each.shape[1], np.uint8))

    def next_cell(self, row: int, column: int) -> str:
        """The least text of a cell; all arrangements that have another one are left out."""
        source, rows, columns, names, unused = self.some
        digits = self.sources[source, self.rows[rows, row], self.columns[columns, column]]
        name = names[np.arange(len(digits)), digits]
        is_new = (digits > 0) & (name == 0)
        name[is_new] = unused[is_new]
        kept = name == name.min()
        if not kept.all():
            self.some = [one[kept] for one in self.some]
            digits, is_new = digits[kept], is_new[kept]
        new = np.flatnonzero(is_new)
        self.some[3][new, digits[new]] = self.some[4][new]
        self.some[4][new] += 1
        return (EMPTY + VALUES)[name.min()]


def least(grid: str) -> tuple[str, int]:
    """The least image of a grid, and how many arrangements lead to it."""
    images = Images(grid)
    text = "".join(images.next_cell(*cell) for cell in product(range(images.side), repeat=2))
    return text, len(images.some[0])


def equivalent_to(grid: str, chance: random.Random) -> str:
    """A grid in another dress, drawn at random."""
    box = BOXES[SIDES[len(grid)]]
    side = box.height * box.width
    square = [grid[start : start + side] for start in range(0, len(grid), side)]
    if box.height == box.width and chance.random() < 0.5:
        square = ["".join(column) for column in zip(*square, strict=True)]
    names = dict(zip(VALUES, chance.sample(VALUES[:side], side), strict=False))
    rows, columns = shuffled(box.width, box.height, chance), shuffled(box.height, box.width, chance)
    return "".join(names.get(square[row][column], EMPTY) for row in rows for column in columns)


def shuffled(groups: int, size: int, chance: random.Random) -> list[int]:
    order = chance.sample(range(groups), groups)
    return [group * size + line for group in order for line in chance.sample(range(size), size)]

"""All arrangements of a grid, tried one by one: what the compiled search is compared with."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product

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


def images(grid: str) -> Iterator[str]:
    """A grid in all arrangements, with its digits named in the order of their appearance."""
    box = BOXES[SIDES[len(grid)]]
    side = box.height * box.width
    square = [grid[start : start + side] for start in range(0, len(grid), side)]
    sources = [square, ["".join(column) for column in zip(*square, strict=True)]]
    for source in sources[: 1 + (box.height == box.width)]:
        for rows in lines(box.width, box.height):
            for columns in lines(box.height, box.width):
                yield renamed(source[row][column] for row in rows for column in columns)


def renamed(cells: Iterator[str]) -> str:
    """Cells with the digits named in the order of their appearance."""
    names = {EMPTY: EMPTY}
    return "".join(names.setdefault(cell, VALUES[len(names) - 1]) for cell in cells)


def least(grid: str) -> tuple[str, int]:
    """The least image of a grid, and how many arrangements lead to it."""
    found = list(images(grid))
    return min(found), found.count(min(found))


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

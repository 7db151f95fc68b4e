"""All arrangements of a grid, tried one by one: what the compiled search is compared with."""

import random
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


def least(grid: str) -> tuple[str, int]:
    """The least image of a grid, and how many arrangements lead to it."""
    box = BOXES[SIDES[len(grid)]]
    side = box.height * box.width
    square = [grid[start : start + side] for start in range(0, len(grid), side)]
    sources = [square, ["".join(column) for column in zip(*square, strict=True)]]
    found, number = "~", 0
    for source in sources[: 1 + (box.height == box.width)]:
        for order in lines(box.width, box.height):
            rows = [source[row] for row in order]
            for columns in lines(box.height, box.width):
                text = image(rows, columns, found)
                number = number + 1 if text == found else 1 if text else number
                found = text or found
    return found, number


def image(rows: list[str], columns: tuple[int, ...], least: str) -> str:
    """Rows with their columns in this order, and digits named in the order of their appearance.

    Empty if that is more than the least text so far.
    """
    names, text = {EMPTY: EMPTY}, ""
    for row in rows:
        for column in columns:
            text += names.setdefault(row[column], VALUES[len(names) - 1])
        if text > least[: len(text)]:
            return ""
    return text


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

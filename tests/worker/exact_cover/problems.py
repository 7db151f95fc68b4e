"""Classic problems with a published number of solutions, and one with costs."""

import random
from collections.abc import Iterator
from itertools import product

from worker.exact_cover.problem import Problem, number


def queens(side: int) -> Problem:
    """Ranks and files are primary, diagonals secondary."""
    options = [
        [1 + r, 1 + side + c, 1 + 2 * side + r + c, 4 * side + r - c + side - 1]
        for r, c in product(range(side), repeat=2)
    ]
    return number(2 * side, 4 * side - 2, options)


def langford(order: int) -> Problem:
    """Two of each number k, k places between them."""
    options = [
        [k, order + at, order + at + k + 1]
        for k in range(1, order + 1)
        for at in range(1, 2 * order - k)
    ]
    return number(3 * order, 0, options)


PENTOMINOES = {
    "F": [(0, 1), (0, 2), (1, 0), (1, 1), (2, 1)],
    "I": [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)],
    "L": [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1)],
    "N": [(0, 1), (1, 1), (2, 0), (2, 1), (3, 0)],
    "P": [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)],
    "T": [(0, 0), (0, 1), (0, 2), (1, 1), (2, 1)],
    "U": [(0, 0), (0, 2), (1, 0), (1, 1), (1, 2)],
    "V": [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)],
    "W": [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)],
    "X": [(0, 1), (1, 0), (1, 1), (1, 2), (2, 1)],
    "Y": [(0, 1), (1, 0), (1, 1), (2, 1), (3, 1)],
    "Z": [(0, 0), (0, 1), (1, 1), (2, 1), (2, 2)],
}


def shapes(cells: list[tuple[int, int]]) -> set[tuple[tuple[int, int], ...]]:
    """A pentomino turned and turned over, each moved into the corner."""
    found = set()
    for _ in range(2):
        cells = [(r, -c) for r, c in cells]
        for _ in range(4):
            cells = [(c, -r) for r, c in cells]
            top, left = min(r for r, _ in cells), min(c for _, c in cells)
            found.add(tuple(sorted((r - top, c - left) for r, c in cells)))
    return found


def pentominoes(rows: int, columns: int, *, whole: bool = False) -> Problem:
    """Each of the twelve once, each cell once; the cross in the upper left quarter, or anywhere."""
    cross, half, side = 1 + list(PENTOMINOES).index("X"), rows // 2, columns // 2
    options = [
        [piece, *(13 + r * columns + c for r, c in cells)]
        for piece, cells in placements(rows, columns)
        if whole or piece != cross or (min(cells)[0] + 1 < half and min(cells)[1] < side)
    ]
    return number(12 + rows * columns, 0, options)


def placements(rows: int, columns: int) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    for piece, cells in enumerate(PENTOMINOES.values(), start=1):
        for shape in shapes(cells):
            for top, left in product(range(rows), range(columns)):
                at = [(top + r, left + c) for r, c in shape]
                if all(r < rows and c < columns for r, c in at):
                    yield piece, at


SOMA = {
    "V": [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
    "L": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)],
    "T": [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)],
    "Z": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)],
    "left": [(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 1, 1)],
    "right": [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)],
    "branch": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)],
}
Cells = tuple[tuple[int, int, int], ...]


def soma() -> Problem:
    """Piet Hein's cube of side 3 from its seven pieces."""
    options = [
        [piece, *(8 + 9 * x + 3 * y + z for x, y, z in cells)]
        for piece, shape in enumerate(SOMA.values(), start=1)
        for cells in sorted(in_cube(tuple(shape)))
    ]
    return number(7 + 27, 0, options)


def in_cube(shape: Cells) -> set[Cells]:
    """A piece in all positions and places within the cube; it is not reflected."""
    turned = {shape}
    for _ in range(4):  # every rotation is made of at most four of these two quarter turns
        turned |= {tuple((-y, x, z) for x, y, z in cells) for cells in turned}
        turned |= {tuple((x, -z, y) for x, y, z in cells) for cells in turned}
    moved = (
        tuple(sorted((x + a, y + b, z + c) for x, y, z in cells))
        for cells in turned
        for a, b, c in product(range(5), repeat=3)
    )
    return {cells for cells in moved if all(0 <= at < 3 for cell in cells for at in cell)}


def partition(items: int, options: int, seed: int) -> Problem:
    """A set partitioning problem with a planted cover and costs without a pattern."""
    chance = random.Random(seed)
    order = chance.sample(range(1, items + 1), items)
    planted = [order[start : start + 4] for start in range(0, items, 4)]
    others = [chance.sample(range(1, items + 1), chance.randint(2, 6)) for _ in range(options)]
    singles = [[item] for item in range(1, items + 1)]
    every = [*planted, *others, *singles]
    return number(items, 0, every, [chance.randint(20, 60) * len(option) for option in every])


def crews(seed: int) -> Problem:
    """A partition of items by options of similar costs, so that the relaxation has fractions."""
    chance = random.Random(seed)
    drawn = [sorted(chance.sample(range(1, 25), 3)) for _ in range(260)]
    return number(24, 0, drawn, [30 + chance.randint(0, 9) for _ in drawn])

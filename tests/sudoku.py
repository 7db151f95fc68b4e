"""Checks and generates sudokus, independently of the solver."""

import random
from collections.abc import Iterator
from functools import cache

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
#: height and width of the boxes, by the side of the grid
BOXES = {
    4: (2, 2),
    6: (2, 3),
    8: (2, 4),
    9: (3, 3),
    10: (2, 5),
    12: (3, 4),
    15: (3, 5),
    16: (4, 4),
    20: (4, 5),
    25: (5, 5),
}


def is_solution(puzzle: str, solution: str, alphabet: str = SYMBOLS) -> bool:
    """Whether each row, column and box has every symbol once, and every clue is kept."""
    size = round(len(puzzle) ** 0.5)
    symbols = set(alphabet[:size])
    return (
        len(solution) == len(puzzle)
        and all({solution[cell] for cell in unit} == symbols for unit in _units(size))
        and all(clue in (".", digit) for clue, digit in zip(puzzle, solution, strict=True))
    )


@cache
def _units(size: int) -> list[list[int]]:
    """Return the cells of each row, column and box, by their place in the text."""
    cells = [divmod(place, size) for place in range(size * size)]
    kinds: list[list[int]] = [
        [row for row, _ in cells],
        [column for _, column in cells],
        [box_of(size, row, column) for row, column in cells],
    ]
    return [
        [place for place, unit in enumerate(kind) if unit == wanted]
        for kind in kinds
        for wanted in range(size)
    ]


def box_of(size: int, row: int, column: int) -> int:
    """Return the number of the box that a cell is in, row by row, all from 0."""
    height, width = BOXES[size]
    return row // height * height + column // width


def score(solution: str) -> int:
    """Return the sum of digit times weight of a 9x9 grid: 6 on the border to 10 in the centre."""
    return sum(
        (6 + min(i // 9, i % 9, 8 - i // 9, 8 - i % 9)) * int(digit)
        for i, digit in enumerate(solution)
    )


def grids(seed: int, clues: int, size: int = 9) -> Iterator[str]:
    """Yield random puzzles: a shuffled full grid with all but `clues` cells emptied."""
    chance = random.Random(seed)
    while True:
        full = _shuffled(chance, size)
        kept = set(chance.sample(range(size * size), clues))
        yield "".join(s if i in kept else "." for i, s in enumerate(full))


def _shuffled(chance: random.Random, size: int) -> list[str]:
    height, width = BOXES[size]

    def lines(bands: int, of: int) -> list[int]:
        order = chance.sample(range(bands), bands)
        return [band * of + line for band in order for line in chance.sample(range(of), of)]

    symbols = chance.sample(SYMBOLS[:size], size)
    rows, columns = lines(width, height), lines(height, width)
    return [symbols[(width * (r % height) + r // height + c) % size] for r in rows for c in columns]

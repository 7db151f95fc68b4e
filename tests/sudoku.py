"""Checks and generates sudokus, independently of the solver."""

import random
from collections.abc import Iterator

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"


def is_solution(puzzle: str, solution: str, alphabet: str = SYMBOLS) -> bool:
    """Whether each row, column and box has every symbol once, and every clue is kept."""
    size = round(len(puzzle) ** 0.5)
    box = round(size**0.5)
    symbols = set(alphabet[:size])
    cells = range(size)
    units = [
        *([(r, c) for c in cells] for r in cells),
        *([(r, c) for r in cells] for c in cells),
        *([(b // box * box + i // box, b % box * box + i % box) for i in cells] for b in cells),
    ]
    return (
        len(solution) == len(puzzle)
        and all({solution[r * size + c] for r, c in unit} == symbols for unit in units)
        and all(clue in (".", digit) for clue, digit in zip(puzzle, solution, strict=True))
    )


def score(solution: str) -> int:
    """Return the sum of digit times weight of a 9x9 grid: 6 on the border to 10 in the centre."""
    return sum(
        (6 + min(i // 9, i % 9, 8 - i // 9, 8 - i % 9)) * int(digit)
        for i, digit in enumerate(solution)
    )


def grids(seed: int, clues: int, box: int = 3) -> Iterator[str]:
    """Yield random puzzles: a shuffled full grid with all but `clues` cells emptied."""
    chance = random.Random(seed)
    size = box * box
    while True:
        full = _shuffled(chance, box)
        kept = set(chance.sample(range(size * size), clues))
        yield "".join(s if i in kept else "." for i, s in enumerate(full))


def _shuffled(chance: random.Random, box: int) -> list[str]:
    size = box * box

    def lines() -> list[int]:
        bands = chance.sample(range(box), box)
        return [band * box + line for band in bands for line in chance.sample(range(box), box)]

    symbols = chance.sample(SYMBOLS[:size], size)
    rows, columns = lines(), lines()
    return [symbols[(box * (r % box) + r // box + c) % size] for r in rows for c in columns]

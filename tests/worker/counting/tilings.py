"""Tilings of boards as exact covers."""

import random

from worker.exact_cover.problem import Problem, number

Shape = frozenset[tuple[int, int]]


def turned(*cells: tuple[int, int], over: bool = False) -> set[Shape]:
    """A shape in every direction, and turned over if `over`, each moved into the corner."""
    found = set()
    for sign in (1, -1) if over else (1,):
        now = [(sign * r, c) for r, c in cells]
        for _ in range(4):
            now = [(c, -r) for r, c in now]
            top, left = min(r for r, _ in now), min(c for _, c in now)
            found.add(frozenset((r - top, c - left) for r, c in now))
    return found


DOMINO = turned((0, 0), (0, 1))
TROMINOES = turned((0, 0), (0, 1), (0, 2)) | turned((0, 0), (0, 1), (1, 0))
#: all seven, none turned over
TETROMINOES = (
    turned((0, 0), (0, 1), (0, 2), (0, 3))
    | turned((0, 0), (0, 1), (1, 0), (1, 1))
    | turned((0, 0), (0, 1), (0, 2), (1, 1))
    | turned((0, 1), (0, 2), (1, 0), (1, 1))
    | turned((0, 0), (0, 1), (1, 1), (1, 2))
    | turned((0, 0), (1, 0), (2, 0), (2, 1))
    | turned((0, 1), (1, 1), (2, 1), (2, 0))
)


def tilings(rows: int, columns: int, shapes: set[Shape]) -> Problem:
    """Each cell of a board is covered once, by shapes of which there are any number."""
    options = {
        tuple(sorted((top + r) * columns + left + c + 1 for r, c in shape))
        for shape in shapes
        for top in range(rows - max(r for r, _ in shape))
        for left in range(columns - max(c for _, c in shape))
    }
    return number(rows * columns, 0, sorted(options))


def shuffled(problem: Problem, seed: int) -> Problem:
    """The same problem without secondary items, with items and options in a random order."""
    chance = random.Random(seed)
    name = [0, *chance.sample(range(1, problem.items + 1), problem.items)]
    first = problem.first.tolist()
    options = [
        [name[item] for item in problem.members[first[k] : first[k + 1]].tolist()]
        for k in chance.sample(range(len(first) - 1), len(first) - 1)
    ]
    return number(problem.primary, 0, options)

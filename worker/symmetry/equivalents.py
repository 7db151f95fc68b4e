"""Random equivalents of sudokus: the same puzzles in other dresses, drawn uniformly."""

import json
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from worker.sudoku.symbols import BOXES, SIDES
from worker.symmetry.forms import Arrangement


class Equivalent(NamedTuple):
    """A puzzle in another dress."""

    puzzle: str
    solution: str | None
    arrangement: str  #: what turns the puzzle into it, as JSON


def equivalents(
    puzzle: str, solution: str | None, number: int, chance: Random
) -> Iterator[Equivalent]:
    """Yield random equivalents of a sudoku and its solution, each from all arrangements alike.

    >>> one, = equivalents("1..." * 4, None, 1, Random(1))
    >>> Arrangement(**json.loads(one.arrangement)).applied("1..." * 4) == one.puzzle
    True
    """
    for _ in range(number):
        one = _drawn(SIDES[len(puzzle)], chance)
        solved = None if solution is None else one.applied(solution)
        yield Equivalent(one.applied(puzzle), solved, json.dumps(one._asdict()))


def _drawn(side: int, chance: Random) -> Arrangement:
    height, width = BOXES[side]
    return Arrangement(
        transposed=height == width and chance.random() < 1 / 2,
        rows=_lines(width, height, chance),
        columns=_lines(height, width, chance),
        labels=tuple(chance.sample(range(1, side + 1), side)),
    )


def _lines(groups: int, size: int, chance: Random) -> tuple[int, ...]:
    """Return the lines of groups of one size: groups, and the lines of each, in random orders."""
    return tuple(
        group * size + line
        for group in _shuffled(groups, chance)
        for line in _shuffled(size, chance)
    )


def _shuffled(number: int, chance: Random) -> Sequence[int]:
    return chance.sample(range(number), number)

"""Proving the best score with weights of any kind and scale, beside OR-tools' CP-SAT."""

import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests import sudoku
from tests.benchmarks.race import Disagreement
from tests.benchmarks.targets import RINGS, cp_sat, score_ours, score_theirs

#: the most clues of a grid; one after the other has no clue, one, two and so on
MOST_CLUES = 25
CELLS = range(81)


def _one_huge(chance: random.Random) -> list[int]:
    weights = [10**6, *(chance.randint(1, 99) for _ in CELLS[1:])]
    chance.shuffle(weights)
    return weights


#: name of a family -> the weights that a generator of random numbers draws
FAMILIES: dict[str, Callable[[random.Random], Sequence[int]]] = {
    "rings": lambda _: RINGS,
    "equal": lambda chance: [chance.choice((1, 99, 10**9))] * 81,
    "1 to 99": lambda chance: [chance.randint(1, 99) for _ in CELLS],
    "-50 to 50": lambda chance: [chance.randint(-50, 50) for _ in CELLS],
    "sparse": lambda chance: [
        chance.randint(1, 99) if chance.random() < 0.15 else 0 for _ in CELLS
    ],
    "one huge": _one_huge,
    "powers of two": lambda chance: [2 ** chance.randint(0, 20) for _ in CELLS],
    "rings times 10⁹": lambda _: [10**9 * weight for weight in RINGS],
}


class Race(NamedTuple):
    """The milliseconds that each took for one grid."""

    ours: float
    theirs: float


def tables(grids: int, _rounds: int) -> Iterator[str]:
    """Yield a row for each family of weights, of one turn on each grid; raise Disagreement."""
    if cp_sat() is None:
        yield "Left out: the comparison with CP-SAT needs OR-tools (pip install ortools)."
        return
    yield f"| target, {grids} grids | CP-SAT takes | least | ms | most ms | CP-SAT's ms | most |"
    yield "|---|---|---|---|---|---|---|"
    for name, draw in FAMILIES.items():
        yield _row(name, [_race(seed, draw) for seed in range(grids)])


def problem(
    seed: int, draw: Callable[[random.Random], Sequence[int]]
) -> tuple[str, tuple[int, ...]]:
    """Return a grid and its weights."""
    grid = next(sudoku.grids(seed, seed % (MOST_CLUES + 1)))
    return grid, tuple(draw(random.Random(seed)))


def _race(seed: int, draw: Callable[[random.Random], Sequence[int]]) -> Race:
    grid, weights = problem(seed, draw)
    score, ms = score_ours(grid, weights)
    their_score, their_ms = score_theirs(grid, weights)
    if score != their_score:
        raise Disagreement(f"best score of {grid} with {weights}: {score}, {their_score}")
    return Race(ms, their_ms)


def _row(name: str, races: Sequence[Race]) -> str:
    ratios = [race.theirs / race.ours for race in races]
    mean = math.exp(statistics.mean(map(math.log, ratios)))
    times = [
        f"{statistics.median(took):.1f} | {max(took):.0f}" for took in zip(*races, strict=True)
    ]
    return f"| {name} | {mean:.1f} x | {min(ratios):.2f} x | {' | '.join(times)} |"

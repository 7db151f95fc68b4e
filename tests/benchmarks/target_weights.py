"""Proving the best score with weights of any kind and scale, beside OR-tools' CP-SAT."""

import math
import random
import statistics
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests import sudoku
from tests.benchmarks.race import Disagreement
from tests.benchmarks.targets import RINGS, cp_sat, score_ours, score_theirs

#: grids, and the most clues that one has; they have no clue, one, two and so on in turn
GRIDS, MOST_CLUES = 300, 25
CELLS = range(81)

#: name of a family -> the weights that a generator of random numbers draws
FAMILIES: dict[str, Callable[[random.Random], Sequence[int]]] = {
    "rings": lambda _: RINGS,
    "equal": lambda chance: [chance.choice((1, 99, 10**9))] * 81,
    "1 to 99": lambda chance: [chance.randint(1, 99) for _ in CELLS],
    "-50 to 50": lambda chance: [chance.randint(-50, 50) for _ in CELLS],
    "sparse": lambda chance: [
        chance.randint(1, 99) if chance.random() < 0.15 else 0 for _ in CELLS
    ],
    "one huge": lambda chance: [10**6, *(chance.randint(1, 99) for _ in CELLS[1:])],
    "powers of two": lambda chance: [2 ** chance.randint(0, 20) for _ in CELLS],
    "rings times 10⁹": lambda _: [10**9 * weight for weight in RINGS],
}


class Race(NamedTuple):
    """The milliseconds that both took for one grid."""

    ours: float
    theirs: float


def tables(_data: Path | None, _rounds: int, grids: int = GRIDS) -> Iterator[str]:
    """Yield a row for each family of weights; raise Disagreement."""
    if cp_sat() is None:
        yield "Left out: the comparison with CP-SAT needs OR-tools (pip install ortools)."
        return
    yield f"| target, {grids} grids | CP-SAT takes | least | median ms | most ms | its most ms |"
    yield "|---|---|---|---|---|---|"
    for name, draw in FAMILIES.items():
        yield _row(name, [_race(seed, draw) for seed in range(grids)])


def problem(
    seed: int, draw: Callable[[random.Random], Sequence[int]]
) -> tuple[str, tuple[int, ...]]:
    """Return a grid and its weights."""
    grid = next(sudoku.grids(seed, seed % (MOST_CLUES + 1)))
    chance = random.Random(seed)
    weights = list(draw(chance))
    if weights[0] == 10**6:
        chance.shuffle(weights)
    return grid, tuple(weights)


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
    mine = [race.ours for race in races]
    slowest = max(race.theirs for race in races)
    return (
        f"| {name} | {mean:.1f} x | {min(ratios):.2f} x "
        f"| {statistics.median(mine):.2f} | {max(mine):.0f} | {slowest:.0f} |"
    )

"""Random sudokus and target sudokus."""

import random
from collections.abc import Callable, Sequence

from tests import sudoku
from tests.benchmarks.target_weights import FAMILIES
from worker.options import Options
from worker.sudoku.symbols import ring_weights

#: side -> the fewest and the most clues of a grid, with which it has few completions
CLUES = {
    4: (0, 8),
    6: (9, 18),
    8: (22, 34),
    9: (26, 40),
    10: (38, 52),
    12: (68, 90),
    16: (135, 165),
}
#: every weight is below this; scores of large weights are then still below 2⁶³
GREATEST = 10**14


def ordinary(chance: random.Random) -> tuple[str, Options]:
    """A 4x4 to 10x10 grid, of which some solutions are wanted."""
    return _grid(chance, chance.choice((4, 6, 8, 9, 9, 9, 10))), _some(chance)


def large(chance: random.Random) -> tuple[str, Options]:
    """A 12x12 or 16x16 grid, of which some solutions are wanted."""
    return _grid(chance, chance.choice((12, 16))), _some(chance)


def counted(chance: random.Random) -> tuple[str, Options]:
    """A 4x4 to 9x9 grid whose solutions are counted, with each symbol in each cell or not."""
    sample = chance.choice((0, 0, 5))
    options = Options(
        None, count=True, sample=sample, seed=1, per_option=chance.random() < 0.5, keep=1
    )
    return _grid(chance, chance.choice((4, 6, 8, 9))), options


def few(chance: random.Random) -> tuple[str, Options]:
    """A target sudoku with few completions and weights of any size, up to the limit."""
    side = chance.choice((4, 6, 8, 9, 9, 9, 10))
    kind, area = chance.random(), side**2
    if kind < 0.1:
        weights = None
    elif kind < 0.3:
        weights = _greatest(chance, side)
    else:
        weights = _drawn(chance, area, [*SMALL, *LARGE])
    keep, every = chance.choice((1, 1, 2, 5, 5000)), chance.random() < 0.3
    return _grid(chance, side), Options(target=True, weights=weights, keep=keep, every=every)


def many(chance: random.Random) -> tuple[str, Options]:
    """A 9x9 target sudoku with up to 25 clues, and weights up to 10¹²."""
    grid = next(sudoku.grids(chance.randrange(2**32), chance.randint(0, 25)))
    family = FAMILIES[chance.choice(list(FAMILIES))]
    weights = _drawn(chance, 81, SMALL) if chance.random() < 0.7 else tuple(family(chance))
    return grid, Options(target=True, weights=weights, keep=chance.choice((1, 1, 1, 2, 3)))


#: each draws a weight
Draw = Callable[[random.Random], int]
SMALL: Sequence[Draw] = (
    lambda chance: chance.randint(1, 99),
    lambda chance: chance.randint(-50, 50),
    lambda chance: chance.randint(-9, 99) if chance.random() < 0.15 else 0,
    lambda chance: chance.randint(-(10**12), 10**12),
    lambda chance: 2 ** chance.randint(0, 30),
)
LARGE: Sequence[Draw] = (
    lambda chance: chance.randint(-GREATEST, GREATEST),
    lambda chance: chance.choice((-1, 1)) * 10 ** chance.randint(0, 14),
)


def _drawn(chance: random.Random, cells: int, draws: Sequence[Draw]) -> tuple[int, ...]:
    draw = chance.choice(draws)
    return tuple(draw(chance) for _ in range(cells))


def _greatest(chance: random.Random, side: int) -> tuple[int, ...]:
    """Weights with the greatest scores: all equal, or the rings many times."""
    shape = chance.choice(([1] * side**2, ring_weights(side)))
    factor = chance.choice((-1, 1)) * ((2**63 - 1) // (side * sum(shape)) - chance.randrange(99))
    return tuple(factor * weight for weight in shape)


def _some(chance: random.Random) -> Options:
    limit = chance.choice((1, 2, 2, 3, 50, None))
    keep = chance.choice((1, 1, 2, 100))
    return Options(limit, keep=keep if limit is None else min(keep, limit))


def _grid(chance: random.Random, side: int) -> str:
    """A grid with a random number of clues; every third has a symbol that may be wrong."""
    grid = next(sudoku.grids(chance.randrange(2**32), chance.randint(*CLUES[side]), side))
    if chance.random() < 0.3:
        cell = chance.randrange(side**2)
        grid = grid[:cell] + chance.choice(sudoku.SYMBOLS[:side]) + grid[cell + 1 :]
    return grid

"""How often the truth is inside the range that an estimate gives."""

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from storage.values import Kind
from tests.benchmarks.collections import EXAMPLES
from tests.benchmarks.covers import written
from tests.worker.exact_cover.problems import langford, partition, pentominoes, queens
from worker.estimate.ranges import WIDTH, Range, mean
from worker.estimate.sample import new_sample, visit_sample
from worker.estimate.sampling import size
from worker.estimate.short import Allowance, Tree, search_briefly
from worker.exact_cover.problem import Problem
from worker.options import Options
from worker.solve import search
from worker.stopwatch import Stopwatch

ALL = Options(limit=None, timeout=600)
#: dives of Knuth's estimate, for comparison
DIVES = 4000
#: nodes that are searched before the estimate, fewer than `estimate` searches
SHORT = 4096
#: seeds per round
SEEDS = 8
#: sudokus with between so many solutions
MIN_SOLUTIONS, MAX_SOLUTIONS = 10_000, 2_000_000


class Puzzle(NamedTuple):
    """A puzzle whose search tree is counted."""

    kind: Kind
    text: str


def tables(_data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a table of the ranges from Knuth's dives and from stratified samples."""
    yield (
        "| trees | nodes | nodes inside: dives | nodes inside: samples | solutions inside: samples "
        "| half width: dives | half width: samples | ms |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for name, puzzles in families().items():
        yield _row(name, puzzles, rounds)


def _row(name: str, puzzles: Sequence[Puzzle], rounds: int) -> str:
    dived, sampled, solutions, times, nodes = [], [], [], [], []
    for puzzle in puzzles:
        (truth,) = (row for found in search(*_asked(puzzle)) for row in found.rows())
        tree = search_briefly(puzzle.kind, puzzle.text, ALL, Allowance(SHORT, Stopwatch(60))).tree
        assert truth.complete, name
        assert tree is not None, name
        nodes.append(truth.nodes)
        for seed in range(SEEDS * rounds):
            dived.append(_outcome(_dives(tree, seed), truth.nodes))
            began = time.perf_counter()
            estimate = size(*tree, seed=seed, seconds=60)
            times.append(time.perf_counter() - began)
            assert estimate is not None
            sampled.append(_outcome(estimate.nodes, truth.nodes))
            solutions.append(_outcome(estimate.solutions, truth.solutions or 0))
    return (
        f"| {name} | {min(nodes):,} to {max(nodes):,} | {_inside(dived)} | {_inside(sampled)} "
        f"| {_inside(solutions)} | {_width(dived)} | {_width(sampled)} "
        f"| {1000 * float(np.median(times)):.0f} |"
    )


def _asked(puzzle: Puzzle) -> tuple[Kind, list[str], Options]:
    return puzzle.kind, [puzzle.text], ALL


def _dives(tree: Tree, seed: int) -> Range:
    sample = new_sample(tree.search.chosen.size, seed)
    found = []
    for _ in range(DIVES):
        visit_sample(tree.links, tree.search, tree.terms, sample, 1 << 30)
        found.append(float(sample.result[0]))
    return mean(found)


def _outcome(found: Range, truth: float) -> tuple[bool, float]:
    return found.low <= truth <= found.high, float(np.expm1(WIDTH * found.error))


def _inside(outcomes: Sequence[tuple[bool, float]]) -> str:
    return f"{np.mean([inside for inside, _ in outcomes]):.1%}"


def _width(outcomes: Sequence[tuple[bool, float]]) -> str:
    return f"{np.median([width for _, width in outcomes]):.1%}"


def _random_cover(seed: int) -> Problem:
    chance = random.Random(seed)
    problem = partition(chance.randrange(20, 40, 4), chance.randint(40, 80), seed)
    return problem._replace(cost=problem.cost * 0)


def _open_sudokus() -> Iterator[Puzzle]:
    """Yield the sudokus of the examples without some of their clues."""
    chance = random.Random(0)
    for line in EXAMPLES.read_text().splitlines():
        grid = line.split()[0]
        if len(grid) != 81:
            continue
        clues = [at for at, symbol in enumerate(grid) if symbol in "123456789"]
        for _ in range(20):
            away = clues.pop(chance.randrange(len(clues)))
            grid = grid[:away] + "." + grid[away + 1 :]
            limited = Options(limit=MAX_SOLUTIONS)
            (found,) = (row for some in search(Kind.SUDOKU, [grid], limited) for row in some.rows())
            if not found.complete:
                break
            if (found.solutions or 0) >= MIN_SOLUTIONS:
                yield Puzzle(Kind.SUDOKU, grid)
                break


def _covers(*problems: Problem) -> list[Puzzle]:
    return [Puzzle(Kind.COVER, written(problem)) for problem in problems]


def families() -> Mapping[str, Sequence[Puzzle]]:
    """Return the puzzles by kind; finding the sudokus takes seconds."""
    return {
        "10 to 13 queens": _covers(*map(queens, range(10, 14))),
        "Langford's pairs, 9 to 12": _covers(*map(langford, range(9, 13))),
        "pentominoes 3x20, 4x15, 6x10": _covers(
            pentominoes(3, 20, whole=True), pentominoes(4, 15), pentominoes(6, 10)
        ),
        "random covers": _covers(*map(_random_cover, range(1, 11))),
        "sudokus with few clues": list(_open_sudokus()),
    }

"""Several solvers, the same puzzles, in turn: what one takes in units of another."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

#: puzzles that one solver gets before the next has its turn
TURN = 100

#: puzzles -> how many solutions they have together
Solver = Callable[[Sequence[str]], int]


class Ratio(NamedTuple):
    """Time in units of the yardstick's, over all rounds; and in seconds a puzzle."""

    median: float
    least: float
    most: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.median:.3f} ({self.least:.3f}-{self.most:.3f})"


class Disagreement(Exception):
    """Two solvers count different numbers of solutions."""


def race(solvers: Mapping[str, Solver], puzzles: Sequence[str], rounds: int) -> dict[str, Ratio]:
    """Ratios to the first solver, by thread CPU time; Disagreement if they count differently."""
    for solve in solvers.values():
        solve(puzzles[:1])  # whatever is compiled or loaded at the first call
    took = [_round(solvers, puzzles) for _ in range(rounds)]
    yardstick = next(iter(solvers))
    return {name: _ratio(name, yardstick, took, len(puzzles)) for name in solvers}


def _round(solvers: Mapping[str, Solver], puzzles: Sequence[str]) -> dict[str, float]:
    """Seconds that each solver takes."""
    took = dict.fromkeys(solvers, 0.0)
    for turn in turns(puzzles):
        counts = {}
        for name, solve in solvers.items():
            began = time.thread_time()
            counts[name] = solve(turn)
            took[name] += time.thread_time() - began
        if len(set(counts.values())) > 1:
            raise Disagreement(f"of {len(turn)} puzzles from {turn[0]} on: {counts}")
    return took


def turns(puzzles: Sequence[str]) -> Iterator[Sequence[str]]:
    """A hundred puzzles at a time."""
    for start in range(0, len(puzzles), TURN):
        yield puzzles[start : start + TURN]


def _ratio(name: str, yardstick: str, took: list[dict[str, float]], puzzles: int) -> Ratio:
    ratios = [one[name] / one[yardstick] for one in took]
    seconds = statistics.median(one[name] for one in took) / puzzles
    return Ratio(statistics.median(ratios), min(ratios), max(ratios), seconds)

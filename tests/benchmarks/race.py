"""Times several solvers in turn on the same puzzles, as ratios to the first solver."""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

#: puzzles per turn of a solver
TURN_PUZZLES = 100

#: puzzles -> their total number of solutions
Solver = Callable[[Sequence[str]], int]


class Ratio(NamedTuple):
    """Time relative to the first solver over all rounds, and the median seconds per puzzle."""

    median: float
    least: float
    most: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.median:.3f} ({self.least:.3f}-{self.most:.3f})"


class Disagreement(Exception):
    """Two solvers returned different results."""


def race(solvers: Mapping[str, Solver], puzzles: Sequence[str], rounds: int) -> dict[str, Ratio]:
    """Return each solver's ratio to the first one, by thread CPU time; raise Disagreement."""
    for solve in solvers.values():
        solve(puzzles[:1])  # compile and load before timing
    took = [_round(solvers, puzzles) for _ in range(rounds)]
    yardstick = next(iter(solvers))
    return {name: _ratio(name, yardstick, took, len(puzzles)) for name in solvers}


def _round(solvers: Mapping[str, Solver], puzzles: Sequence[str]) -> dict[str, float]:
    """Return the seconds of each solver for all puzzles."""
    took = dict.fromkeys(solvers, 0.0)
    for turn in turns(puzzles):
        counts = {}
        for name, solve in solvers.items():
            began = time.thread_time()
            counts[name] = solve(turn)
            took[name] += time.thread_time() - began
        if len(set(counts.values())) > 1:
            raise Disagreement(f"solutions of {len(turn)} puzzles from {turn[0]}: {counts}")
    return took


def turns(puzzles: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the puzzles in groups of TURN_PUZZLES."""
    for start in range(0, len(puzzles), TURN_PUZZLES):
        yield puzzles[start : start + TURN_PUZZLES]


def _ratio(name: str, yardstick: str, took: list[dict[str, float]], puzzles: int) -> Ratio:
    ratios = [one[name] / one[yardstick] for one in took]
    seconds = statistics.median(one[name] for one in took) / puzzles
    return Ratio(statistics.median(ratios), min(ratios), max(ratios), seconds)

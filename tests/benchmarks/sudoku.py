"""Sudokus against the textbook: is there one solution, and how many are there?"""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from tests.benchmarks import ours, textbook
from tests.benchmarks.collections import collections, table
from tests.benchmarks.race import Solver, race

#: puzzles per collection
PUZZLES = 600


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield tables for limit 2 and for all solutions, with ratios to the textbook's time."""
    if why := textbook.missing():
        yield why
        return
    yield "| sudokus, limit 2 | puzzles | us per puzzle | nodes | ratio to the textbook in C |"
    yield "|---|---|---|---|---|"
    for name, puzzles in collections(data, PUZZLES):
        solvers: dict[str, Solver] = {
            "textbook": partial(textbook.sudokus, limit=2),
            "ours": partial(ours.solutions, limit=2),
        }
        ratio = race(solvers, puzzles, rounds)["ours"]
        nodes = ours.nodes(puzzles, 2)
        yield f"| {name} | {len(puzzles)} | {ratio.seconds * 1e6:.1f} | {nodes:.0f} | {ratio} |"
    counted = [row["puzzle"] for row in table(data, "enumeration-counts.csv")]
    if counted:
        yield from _counting(counted, rounds)


def _counting(puzzles: list[str], rounds: int) -> Iterator[str]:
    solvers: dict[str, Solver] = {
        "textbook": textbook.sudokus,
        "ours": partial(ours.solutions, limit=None),
    }
    ratio = race(solvers, puzzles, rounds)["ours"]
    found = ours.solutions(puzzles, None)
    rate = found / len(puzzles) / ratio.seconds / 1e6
    yield ""
    yield f"All {found:,} solutions of {len(puzzles)} sudokus: {rate:.2f} million a second,"
    yield f"{ratio} of the textbook's time."

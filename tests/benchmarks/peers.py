"""Other PyPI solvers, called through their own APIs, with building the matrix included."""

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.benchmarks import ours
from tests.benchmarks.collections import collections
from tests.benchmarks.covers import PROBLEMS, written
from tests.benchmarks.race import race
from worker.exact_cover.problem import Problem
from worker.sudoku.board import problem

Matrix = NDArray[np.bool_]
#: puzzles per collection; the other packages take up to 3 ms each
PUZZLES = 200


def _first(covers: Any) -> int:
    return sum(1 for _ in zip(covers, range(1), strict=False))


#: package -> a function that returns 1 if there is a cover (FIRST), or the number of covers (ALL)
FIRST: Mapping[str, Callable[[Any, Matrix], int]] = {
    "exact_cover": lambda peer, matrix: int(len(peer.get_exact_cover(matrix)) > 0),
    "xcover": lambda peer, matrix: _first(peer.covers_bool(matrix)),
    "exact_cover_py": lambda peer, matrix: _first(peer.exact_covers(matrix)),
}
ALL: Mapping[str, Callable[[Any, Matrix], int]] = {
    "exact_cover": lambda peer, matrix: int(peer.get_solution_count(matrix)),
    "xcover": lambda peer, matrix: sum(1 for _ in peer.covers_bool(matrix)),
    "exact_cover_py": lambda peer, matrix: sum(1 for _ in peer.exact_covers(matrix)),
}


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield each package's time relative to ours: first solution of sudokus, all of covers."""
    there = dict(_installed())
    for missing in FIRST.keys() - there.keys():
        yield f"{missing} is not installed; left out."
    yield f"| times as long as Bullseye | {' | '.join(there)} |"
    yield "|---" * (len(there) + 1) + "|"
    for name, puzzles in collections(data, PUZZLES):
        solvers = {"ours": partial(ours.solutions, limit=1)} | {
            peer: partial(_sudokus, partial(FIRST[peer], module)) for peer, module in there.items()
        }
        yield _line(f"{name}, first solution", solvers, puzzles, rounds)
    for name, asked in PROBLEMS.items():
        matrix = with_slack(asked)
        solvers = {"ours": partial(ours.solutions, limit=None)} | {
            peer: partial(_count, partial(ALL[peer], module), matrix)
            for peer, module in there.items()
        }
        yield _line(f"{name}, all solutions", solvers, [written(asked)], 1)


def _line(name: str, solvers: dict[str, Any], puzzles: Sequence[str], rounds: int) -> str:
    ratios = race(solvers, puzzles, rounds)
    return f"| {name} | {' | '.join(f'{r.median:.1f}' for r in list(ratios.values())[1:])} |"


def _installed() -> Iterator[tuple[str, Any]]:
    for name in FIRST:
        try:
            yield name, importlib.import_module(name)
        except ImportError:
            continue


def _sudokus(solve: Callable[[Matrix], int], puzzles: Sequence[str]) -> int:
    return sum(solve(consistent(puzzle)) for puzzle in puzzles)


def _count(count: Callable[[Matrix], int], matrix: Matrix, _puzzles: Sequence[str]) -> int:
    return count(matrix)


def consistent(puzzle: str) -> Matrix:
    """Return the rows of the empty grid's matrix that agree with a puzzle's clues."""
    matrix, cell, symbol = _empty_grid()
    given = np.frombuffer(puzzle.encode(), np.uint8)[cell].astype(np.int64) - ord("1")
    chosen: Matrix = matrix[(given < 0) | (given > 8) | (given == symbol)]
    return chosen


@lru_cache(maxsize=1)
def _empty_grid() -> tuple[Matrix, NDArray[np.int64], NDArray[np.int64]]:
    """Return the 729 x 324 matrix, and the cell and symbol of each row."""
    cell, symbol = np.divmod(np.arange(729), 9)
    return as_matrix(problem(9)), cell, symbol


def as_matrix(asked: Problem) -> Matrix:
    """Return a matrix with a row per option and a column per item."""
    matrix = np.zeros((asked.first.size - 1, asked.items), bool)
    rows = np.repeat(np.arange(len(matrix)), asked.first[1:] - asked.first[:-1])
    matrix[rows, asked.members.astype(np.int64) - 1] = True
    return matrix


def with_slack(asked: Problem) -> Matrix:
    """Return a matrix with a slack row per secondary item, for solvers without secondary items."""
    slack = np.eye(asked.items, dtype=bool)[asked.primary :]
    return np.concatenate([as_matrix(asked), slack])

"""The search in lanes, compared with the search of the same grid as a general exact cover."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sudoku import grids, is_solution
from tests.worker.solving import P1074, one
from worker.exact_cover.solve import solve
from worker.options import Options
from worker.sudoku.board import open_cells
from worker.sudoku.symbols import SYMBOLS

pytestmark = pytest.mark.usefixtures("warm")

#: singles leave most of it open; locked candidates solve it
LOCKED = "..............1..2..3..4.5.....3......5.6.....6......1...78..3..1....4.9.2......."


def by_the_general_search(puzzle: str) -> tuple[int, bool]:
    """Return how many solutions there are, up to 500, and whether these are all."""
    values = np.array([SYMBOLS.index(symbol) for symbol in puzzle], np.uint8)
    problem = open_cells(values).problem
    found = solve(problem, limit=500).found
    return found, found < 500


@given(st.integers(0, 10**6), st.integers(20, 30), st.data())
def test_grids_have_as_many_solutions_as_the_general_search_finds(
    seed: int, clues: int, data: st.DataObject
) -> None:
    cells = list(next(grids(seed, clues)))
    for at in data.draw(st.lists(st.integers(0, 80), max_size=2)):
        cells[at] = data.draw(st.sampled_from(SYMBOLS[:10]))
    puzzle = "".join(cells)
    outcome = one(puzzle, Options(limit=500, keep=500))
    assert (outcome.solutions, outcome.complete) == by_the_general_search(puzzle)
    kept = {solution.text for solution in outcome.kept}
    assert len(kept) == outcome.solutions
    assert all(is_solution(puzzle, text) for text in kept)


def test_locked_candidates_save_the_search() -> None:
    outcome = one(LOCKED, Options())
    assert (outcome.solutions, outcome.complete, outcome.nodes) == (1, True, 0)
    assert is_solution(LOCKED, outcome.kept[0].text)


@given(st.integers(0, 10**6), st.integers(22, 40))
def test_the_best_score_of_a_grid_with_few_solutions_is_the_highest_of_all(
    seed: int, clues: int
) -> None:
    puzzle = next(grids(seed, clues))
    all_of_them = one(puzzle, Options(limit=None, target=True, every=True, keep=60))
    if all_of_them.solutions is not None and all_of_them.solutions <= 60:
        best = one(puzzle, Options(target=True))
        assert best.kept[0].score == max(kept.score or 0 for kept in all_of_them.kept)


UNCOMPILED = """
import sys
from tests.worker.solving import one
from worker.options import Options
for puzzle in sys.argv[1:]:
    outcome = one(puzzle, Options())
    print(outcome.solutions, outcome.nodes, outcome.kept[0].text)
"""


def test_the_search_visits_the_same_nodes_where_the_kernel_runs_as_python() -> None:
    puzzles = [P1074[0], LOCKED]
    done = subprocess.run(
        [sys.executable, "-c", UNCOMPILED, *puzzles],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    outcomes = [one(puzzle, Options()) for puzzle in puzzles]
    expected = [f"{one.solutions} {one.nodes} {one.kept[0].text}" for one in outcomes]
    assert done.stdout.splitlines() == expected

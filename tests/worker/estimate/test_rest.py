"""Searches that are left to parts: their sizes, as workers estimate them."""

import time

import pytest

from storage.values import Kind
from tests.benchmarks.covers import written
from tests.worker.exact_cover.problems import langford, pentominoes, queens
from worker.estimate.estimate import estimate_rest
from worker.exact_cover.problem import Problem
from worker.options import Options
from worker.outcome import Outcome, Rest
from worker.solve import search

ALL = Options(limit=None)
#: a 6x6 grid with 39,168 solutions
FEW_CLUES = "123456" + "." * 30


def left(kind: Kind, text: str, options: Options) -> tuple[Outcome, Rest]:
    slices = search(kind, [text], options, slice_seconds=1e-6, budget=1e-6)
    (row,) = (row for found in slices for row in found.rows())
    assert row.rest is not None
    return row, row.rest


@pytest.mark.parametrize("problem", [queens(11), langford(11), pentominoes(4, 15)])
def test_the_nodes_of_a_cover_are_within_the_range(problem: Problem) -> None:
    _, rest = left(Kind.COVER, written(problem), ALL)
    (whole,) = (
        row for found in search(Kind.COVER, [written(problem)], ALL) for row in found.rows()
    )
    found = estimate_rest(Kind.COVER, written(problem), ALL, rest.setup, seconds=60)
    assert found is not None
    assert found.low < whole.nodes < found.high < 2.5 * found.low


def test_the_nodes_of_a_grid_are_within_the_range() -> None:
    _, rest = left(Kind.SUDOKU, FEW_CLUES, ALL)
    (whole,) = (row for found in search(Kind.SUDOKU, [FEW_CLUES], ALL) for row in found.rows())
    found = estimate_rest(Kind.SUDOKU, FEW_CLUES, ALL, rest.setup, seconds=60)
    assert found is not None
    assert found.low < whole.nodes < found.high < 1.5 * found.low


def test_an_estimate_ends_in_time() -> None:
    text = written(queens(40))
    _, rest = left(Kind.COVER, text, ALL)
    estimate_rest(Kind.COVER, text, ALL, rest.setup)
    began = time.thread_time()
    estimate_rest(Kind.COVER, text, ALL, rest.setup, seconds=0.1)
    assert time.thread_time() - began < 1

"""Branches on pairs of items: both together miss no cover and share none."""

import numpy as np
import pytest

from tests.worker.exact_cover.problems import crews, partition
from tests.worker.set_cover.test_part import search_in_parts
from worker.compiling.numbers import Unsigned
from worker.exact_cover.problem import number
from worker.exact_cover.solve import solve as solve_exactly
from worker.exact_cover.state import UNBOUNDED, terms
from worker.set_cover.branch import divide
from worker.set_cover.layout import (
    EXCLUDED,
    ONLY_CHOOSE,
    ONLY_EXCLUDE,
    new_search,
    once,
    step_of,
    tables_of,
)
from worker.set_cover.run import Run
from worker.set_cover.strategy import Strategy
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm_set_cover")

#: no problem is solved before the rounds
STRATEGY = Strategy(first_visits=0, early_visits=0, first_nodes=1)


@pytest.mark.parametrize("left", [ONLY_CHOOSE, ONLY_EXCLUDE])
def test_the_branches_of_a_pair_exclude_what_the_other_one_has(left: Unsigned) -> None:
    options = [[1, 2], [1, 2, 3], [1, 3], [2, 3], [1], [3]]
    problem = number(3, 0, options, [1] * 6)
    tables = tables_of(problem, once(problem))
    divide(tables, new_search(problem, tables, 1), Unsigned(1), Unsigned(2), left)
    excluded = np.flatnonzero(tables.fate == EXCLUDED).tolist()
    assert excluded == ([2, 3, 4] if left == ONLY_CHOOSE else [0, 1])


def test_an_item_that_may_be_covered_again_keeps_its_options_without_the_first() -> None:
    problem = number(2, 0, [[1, 2], [1], [2]], [1] * 3)
    tables = tables_of(problem, [(1, 1), (1, 2)])
    divide(tables, new_search(problem, tables, 1), Unsigned(1), Unsigned(2), ONLY_CHOOSE)
    assert np.flatnonzero(tables.fate == EXCLUDED).tolist() == [1]


@pytest.mark.parametrize("seed", range(2))
def test_searches_that_branch_on_pairs_find_the_cheapest_covers(seed: int) -> None:
    problem, keep = crews(seed), 4
    every = sorted(cost for _, cost in solve_exactly(problem, limit=None, keep=10**6).kept)
    asked, pairs = terms(limit=None, keep=keep, prune=True, step=step_of(problem)), 0
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), STRATEGY, once(problem))
    search = run._slices.search
    for _ in run.slices():
        pairs += int(np.count_nonzero(search.guesses["other"]))
    assert [cost for _, cost in run.result().kept] == every[:keep]
    assert pairs > 0


@pytest.mark.parametrize("keep", [1, 4])
@pytest.mark.parametrize("seed", [2, 3])
def test_parts_that_branch_on_pairs_find_the_cheapest_covers(keep: int, seed: int) -> None:
    problem = crews(seed)
    every = sorted(cost for _, cost in solve_exactly(problem, limit=None, keep=10**6).kept)
    assert search_in_parts(problem, once(problem), keep, seed) == every[:keep]


def test_few_nodes_prove_a_partition_with_a_gap() -> None:
    # An option at a time, it takes 7,200 nodes instead of 1,000.
    problem = partition(60, 900, 3)
    asked = terms(limit=None, keep=1, prune=True, step=step_of(problem))
    run = Run(problem, asked, UNBOUNDED, Stopwatch(), STRATEGY, once(problem))
    for _ in run.slices():
        pass
    assert run.result().nodes < 3000

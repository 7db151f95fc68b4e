"""Which problems are dense, and their rows."""

import random
from itertools import pairwise

import numpy as np
import pytest

from tests.worker.exact_cover.problems import langford, pentominoes, queens, soma
from worker.exact_cover.layout import links
from worker.exact_cover.nodes import MAX_ENTRIES, MAX_OPTIONS, OPTION_BITS, WORD_BITS
from worker.exact_cover.problem import Problem, number
from worker.sudoku.board import problem as sudoku


def dominoes(side: int) -> Problem:
    options = [[at, at + 1] for at in range(1, side * side) if at % side]
    return number(side * side, 0, [*options, *([at, at + side] for at in range(1, side**2 - side))])


@pytest.mark.parametrize("problem", [queens(8), langford(11), pentominoes(6, 10), soma()])
def test_a_problem_whose_options_have_many_rivals_is_dense(problem: Problem) -> None:
    assert links(problem).nodes.rows.size


@pytest.mark.parametrize("problem", [sudoku(9), dominoes(8), number(2, 0, []), number(1, 0, [[]])])
def test_a_problem_whose_options_have_few_rivals_is_not_dense(problem: Problem) -> None:
    assert not links(problem).nodes.rows.size


def test_a_problem_is_not_dense_if_its_tables_would_be_large() -> None:
    pair = [[1, 2]]
    assert links(number(2, 0, pair * (MAX_OPTIONS - 1))).nodes.rows.size
    assert not links(number(2, 0, pair * MAX_OPTIONS)).nodes.rows.size
    chance = random.Random(1)
    for items in (500, 800):
        options = [chance.sample(range(1, items + 1), 40) for _ in range(items)]
        is_small = items**2 * 2 < MAX_ENTRIES
        assert bool(links(number(items, 0, options)).nodes.rows.size) == is_small


@pytest.mark.parametrize("problem", [queens(6), langford(7), soma()])
def test_the_row_of_an_item_removes_its_options_and_no_others(problem: Problem) -> None:
    tables = links(problem, dense=True)
    nodes, first = tables.nodes, problem.first.tolist()
    rows = nodes.rows.reshape(tables.right.size, -1)
    members = [set(problem.members[start:stop].tolist()) for start, stop in pairwise(first)]
    words, bits = nodes.item.size, np.arange(WORD_BITS, dtype=np.uint32)
    for item in range(1, problem.items + 1):
        left = tables.mask[:words] & rows[item] & np.uint32(OPTION_BITS)
        word, bit = np.nonzero(left[:, None] >> bits & 1)
        options = set(nodes.option[nodes.first_node[word] + bit].tolist())
        assert options == {k for k, some in enumerate(members) if item not in some}

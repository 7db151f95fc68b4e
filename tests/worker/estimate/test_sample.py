"""Random samples of search trees, compared with the whole trees."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems
from tests.worker.exact_cover.problems import langford, partition, pentominoes, queens
from tests.worker.exact_cover.searching import (
    FORMS,
    asked,
    constant_tables,
    laid_out,
    run,
    same,
    search_for,
)
from worker.estimate.sample import new_sample, visit_sample
from worker.estimate.sampling import size
from worker.exact_cover.layout import Links, general, links
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.exact_cover.state import Search, start_round

AMPLE = 10**9


@given(problems(), st.sampled_from(FORMS))
@settings(max_examples=60, deadline=None)  # the first example may compile the entry
def test_a_sample_with_all_options_is_the_whole_tree(
    problem: tuple[int, int, list[list[int]], list[int]], form: str
) -> None:
    primary, secondary, options, _ = problem
    numbered = number(primary, secondary, options)
    tables, search = laid_out(numbered, form), search_for(numbered, 1)
    search.state.first_nodes = 0
    found = run(tables, search, asked())
    before = constant_tables(tables)
    sample = new_sample(search.chosen.size, seed=0)
    sample.target[:] = 1e-9
    visit_sample(general(tables), search, asked(), sample, AMPLE)
    assert sample.result.tolist() == [found.nodes, found.found, found.nodes]
    assert same(before, constant_tables(tables))


@given(problems(), st.integers(0, 100), st.integers(0, 30))
@settings(max_examples=60, deadline=None)  # the first example may compile the entry
def test_a_sample_within_a_budget_visits_what_the_search_does(
    problem: tuple[int, int, list[list[int]], list[int]], seed: int, budget: int
) -> None:
    numbered = number(*problem)
    terms = asked(keep=AMPLE, prune=True)  # keeps all, so that nothing is pruned by what it found
    tables, search = links(numbered), search_for(numbered, 200)
    start_round(search, terms, budget, AMPLE)
    nodes = run(tables, search, terms).nodes
    before = constant_tables(tables)
    sample = new_sample(search.chosen.size, seed)
    visit_sample(general(tables), search, terms, sample, AMPLE)
    assert sample.result[2] <= nodes
    sample.target[:] = 1e-9
    visit_sample(general(tables), search, terms, sample, AMPLE)
    assert sample.result[0] == nodes
    assert same(before, constant_tables(tables))


def test_dives_have_no_bias() -> None:
    tables, search, found = counted(queens(6))
    sample = new_sample(search.chosen.size, seed=1)
    results = []
    for _ in range(20_000):
        visit_sample(general(tables), search, asked(), sample, AMPLE)
        results.append(sample.result[:2].copy())
    error = np.std(results, axis=0) / len(results) ** 0.5
    assert np.all(np.abs(np.mean(results, axis=0) - [found.nodes, found.found]) < 4 * error)


def without_costs(items: int, options: int, seed: int) -> Problem:
    problem = partition(items, options, seed)
    return problem._replace(cost=problem.cost * 0)


def counted(problem: Problem) -> tuple[Links, Search, Found]:
    """Tables and a search at the root, and its result without the nodes before it started again."""
    first, search = search_for(problem, 1), search_for(problem, 1)
    tables = links(problem)
    run(tables, first, asked())
    search.state.pairs_compared, search.state.first_nodes = first.state.pairs_compared, 0
    return tables, search, run(tables, search, asked())


PROBLEMS = (
    queens(10),
    langford(8),
    langford(11),
    pentominoes(3, 20, whole=True),
    pentominoes(4, 15),
    *(without_costs(28, 60, seed) for seed in range(5)),
)


def test_nine_of_ten_ranges_hold_the_truth() -> None:
    nodes, solutions, errors = [], [], []
    for problem in PROBLEMS:
        tables, search, found = counted(problem)
        for seed in range(10):
            estimate = size(tables, search, asked(), seed=seed, seconds=60, sample_nodes=(3000,))
            assert estimate is not None
            nodes.append(estimate.nodes.low <= found.nodes <= estimate.nodes.high)
            solutions.append(estimate.solutions.low <= found.found <= estimate.solutions.high)
            errors.append(estimate.nodes.error)
    assert np.mean(nodes) >= 0.9
    assert np.mean(solutions) >= 0.9
    assert np.median(errors) < 0.1


def test_the_same_seed_gives_the_same_sizes_and_another_one_gives_others() -> None:
    problem = langford(11)
    tables, search = links(problem), search_for(problem, 1)
    one, same_one, other = (
        size(tables, search, asked(), seed=seed, seconds=60) for seed in (3, 3, 4)
    )
    assert one == same_one != other


def test_a_tree_that_is_too_large_to_count_has_no_upper_limit() -> None:
    items = range(1, 700, 2)
    several = number(700, 0, [[item, item + 1] for item in items for _ in range(5)])
    estimate = size(links(several), search_for(several, 1), asked(), seed=0, seconds=60)
    assert estimate is not None
    assert estimate.nodes.low > 1e100
    assert np.isinf(estimate.nodes.high)


def test_without_time_there_is_no_estimate() -> None:
    problem = queens(8)
    tables, search = links(problem), search_for(problem, 1)
    assert size(tables, search, asked(), seed=0, seconds=0) is None

"""The options that a search near a known cover may choose from."""

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.problems import partition
from worker.exact_cover.costs.neighbourhood import neighbourhood
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import solve


def items_of(problem: Problem, options: np.ndarray[tuple[int], np.dtype[np.int64]]) -> set[int]:
    return set(problem.members[np.isin(problem.option_of_member, options)].tolist())


@given(st.integers(0, 3), st.integers(1, 12), st.integers(0, 2**32))
def test_a_neighbourhood_has_the_cover_and_all_options_within_the_items_set_free(
    seed: int, freed: int, chance: int
) -> None:
    problem = partition(40, 200, seed)
    ((cover, _),) = solve(problem, limit=1).kept
    chosen, option = np.array(cover), problem.option_of_member
    fits = neighbourhood(problem, option, chosen, freed, random.Random(chance))
    assert fits[chosen].all()
    others = np.flatnonzero(fits)[~np.isin(np.flatnonzero(fits), chosen)]
    free_items = items_of(problem, others)
    free = [k for k in cover if items_of(problem, np.array([k])) & free_items]
    assert len(free) <= freed
    inside = [k for k in range(problem.cost.size) if items_of(problem, np.array([k])) <= free_items]
    assert fits[inside].all()


def test_neighbourhoods_of_one_size_around_one_cover_differ() -> None:
    problem = partition(40, 200, 0)
    ((cover, _),) = solve(problem, limit=1).kept
    chosen, option, chance = np.array(cover), problem.option_of_member, random.Random(0)
    drawn = {neighbourhood(problem, option, chosen, 4, chance).tobytes() for _ in range(100)}
    assert len(drawn) > 2 * chosen.size  # more than one for each option that is drawn first

"""What is left of a search: properties of the prediction."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests
from worker.estimate.ranges import Range, around
from worker.estimate.remaining import progress, remaining

#: recorded searches: the nodes of the whole, the estimate before the first part; and the seconds,
#: the nodes and the share that was done, fifty times
SEARCHES: list[dict[str, Any]] = json.loads(
    (Path(tests.__file__).parent / "data" / "searches.json").read_text()
)

nodes = st.integers(1, 10**15)
shares = st.floats(1e-9, 1.0)


@given(nodes, shares, st.floats(0.01, 1.0), st.floats(1.0, 1e18))
def test_a_range_is_in_order_and_not_negative(
    visited: int, share: float, error: float, whole: float
) -> None:
    for known in (None, around(whole, error)):
        left = remaining(visited, share, known)
        assert 0 <= left.low <= left.likely <= left.high


@given(nodes, shares, st.floats(0.01, 1.0), st.floats(1.0, 1e18))
def test_progress_is_between_0_and_1(
    visited: int, share: float, error: float, whole: float
) -> None:
    assert 0 <= progress(visited, share, around(whole, error).encode()) <= 1
    assert progress(visited, 1.0, around(whole, error).encode()) == 1
    assert progress(visited, share, None) == share


@given(nodes)
def test_a_search_that_is_done_has_nothing_left(visited: int) -> None:
    assert remaining(visited, 1.0, around(10.0 * visited, 0.5)) == (0, 0, 0)


@given(nodes)
def test_a_search_that_has_not_begun_has_no_upper_limit_without_an_estimate(visited: int) -> None:
    assert math.isinf(remaining(0, 0.0).high)
    assert math.isclose(remaining(0, 0.0, around(visited, 0.1)).likely, visited)


@given(st.integers(1000, 10**12), st.floats(0.01, 0.3))
def test_two_predictions_that_agree_are_better_than_either(whole: int, share: float) -> None:
    visited = round(whole * share)
    left = remaining(visited, visited / whole, around(whole, 0.2))
    alone = remaining(visited, visited / whole)
    assert math.isclose(left.likely, whole - visited, rel_tol=1e-6)
    assert left.high - left.low < alone.high - alone.low


def test_a_precise_estimate_outweighs_a_share_that_contradicts_it() -> None:
    left = remaining(1000, 0.5, around(1_000_000, 0.02))
    assert left.likely > 900_000
    assert left.high - left.low > 100_000  # they lie far apart, so less is known


def test_at_the_end_the_share_outweighs_an_estimate() -> None:
    left = remaining(999_900, 0.9999, around(1_200_000, 0.1))
    assert 100 < left.likely < 20_000


@given(nodes, st.floats(0.01, 0.9999), st.floats(0.01, 0.2), st.floats(-5, 5))
def test_something_is_left_of_a_search_that_has_reached_its_estimate(
    visited: int, share: float, error: float, errors: float
) -> None:
    left = remaining(visited, share, around(visited * math.exp(-errors * error), error))
    assert 0 < left.low < left.likely < left.high < math.inf


def test_an_estimate_that_was_exceeded_is_ignored() -> None:
    assert remaining(1000, 0.5, around(500, 0.1)) == remaining(1000, 0.5)


@pytest.mark.parametrize("done", [0.02, 0.2, 0.5, 0.8])
def test_what_is_left_of_recorded_searches_is_known_within_a_factor_of_two(done: float) -> None:
    ratios = []
    for one in SEARCHES:
        _, visited, share = next(at for at in one["curve"] if at[1] >= done * one["nodes"])
        left = remaining(visited, share, Range(*one["estimate"]))
        ratios.append(left.likely / (one["nodes"] - visited))
    assert sum(0.5 <= ratio <= 2 for ratio in ratios) >= 10

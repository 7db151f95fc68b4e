"""Whether options are a cover, against brute force."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover import oracle
from tests.worker.multiplicity import oracle as multiple
from worker.checking.covers import fault


def subset(options: list[list[int]], primary: int, bits: int) -> tuple[int, ...]:
    useful = [k for k, option in enumerate(options) if any(item <= primary for item in option)]
    return tuple(k for k in useful if bits >> k & 1)


def text_of(chosen: tuple[int, ...]) -> str:
    return " ".join(str(k + 1) for k in chosen)


@given(oracle.problems(), st.integers(0, 2**11 - 1), st.integers(-1, 1))
def test_a_fault_is_found_in_all_that_is_not_an_exact_cover_of_that_score(
    drawn: tuple[int, int, list[list[int]], list[int]], bits: int, error: int
) -> None:
    primary, secondary, options, costs = drawn
    problem = {"items": primary, "secondary": secondary, "options": options, "costs": costs}
    chosen = subset(options, primary, bits)
    score = error - sum(costs[k] for k in chosen)
    is_right = chosen in oracle.covers(primary, secondary, options) and error == 0
    assert (
        fault(json.dumps(problem), [(text_of(chosen), score)], set_cover=False) is None
    ) == is_right


@given(multiple.problems(), st.integers(0, 2**9 - 1))
def test_a_fault_is_found_if_an_item_is_covered_too_seldom_or_too_often(
    drawn: multiple.Drawn, bits: int
) -> None:
    primary, secondary, options, _, bounds = drawn
    problem = {"items": primary, "secondary": secondary, "options": options}
    problem["multiplicities"] = bounds
    chosen = subset(options, primary, bits)
    is_right = chosen in multiple.covers(primary, secondary, options, bounds)
    assert (
        fault(json.dumps(problem), [(text_of(chosen), None)], set_cover=False) is None
    ) == is_right


COLOURED = {"items": 2, "secondary": 1, "options": [[1, 3], [2, 3], [2, 3]]}
COLOURED["colours"] = [[[3, "A"]], [[3, "A"]], [[3, "B"]]]
SETS = {"items": 2, "secondary": 0, "options": [[1, 2], [2]], "set_cover": True}
RADIUS = {**SETS, "at_most": 1, "distances": [[3, 5], [0]]}


@pytest.mark.parametrize(
    ("problem", "cover", "score", "reason"),
    [
        (COLOURED, "1 2", None, None),
        (COLOURED, "1 3", None, "1 3: item 3 is covered twice"),
        (SETS, "1 2", -2, None),
        (SETS, "2", -1, "2: item 1 is not covered"),
        (SETS, "1 1", -2, "1 1: option 1 occurs twice"),
        (SETS, "3", -1, "3: there is no option 3"),
        (RADIUS, "1", -5, None),
        (RADIUS, "1", -3, "1: its score is -3 instead of -5"),
        (RADIUS, "1 2", -3, "1 2: it has 2 options"),
    ],
)
def test_the_fault_of_a_cover_says_what_is_wrong(
    problem: dict[str, object], cover: str, score: int | None, reason: str | None
) -> None:
    assert fault(json.dumps(problem), [(cover, score)], set_cover=False) == reason


def test_items_of_an_exact_cover_may_be_covered_again_where_a_set_cover_is_wanted() -> None:
    problem = json.dumps({"items": 1, "secondary": 0, "options": [[1], [1]]})
    assert fault(problem, [("1 2", -2)], set_cover=True) is None
    assert fault(problem, [("1 2", None)], set_cover=False) == "1 2: item 1 is covered twice"

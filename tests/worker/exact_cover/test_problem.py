import pytest
from hypothesis import given

from tests.worker.exact_cover.oracle import problems
from worker.exact_cover.problem import number


def test_the_items_of_options_are_concatenated() -> None:
    problem = number(2, 1, [[1, 3], [], [2]], [5, 0, 7])
    assert problem.members.tolist() == [1, 3, 2]
    assert problem.first.tolist() == [0, 2, 2, 3]
    assert problem.cost.tolist() == [5, 0, 7]


@pytest.mark.parametrize("option", [[1, 1], [0], [4], [-1]])
def test_an_option_with_an_unknown_or_repeated_item_is_rejected(option: list[int]) -> None:
    with pytest.raises(ValueError, match="option 2"):
        number(2, 1, [[1], option])


@given(problems())
def test_of_options_with_the_same_items_a_cheapest_one_remains(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, costs = drawn
    cheapest: dict[frozenset[int], int] = {}
    for items, cost in zip(map(frozenset, options), costs, strict=True):
        cheapest[items] = min(cost, cheapest.get(items, cost))
    distinct = number(primary, secondary, options, costs).distinct_options.tolist()
    assert distinct == sorted(distinct)
    assert len(distinct) == len(cheapest)
    assert {frozenset(options[k]): costs[k] for k in distinct} == cheapest


def test_options_that_differ_in_a_colour_are_different() -> None:
    colours = [[(2, "A")], [(2, "B")], [], [(2, "B")]]
    problem = number(1, 1, [[1, 2], [2, 1], [1, 2], [1, 2]], [3, 3, 3, 2], colours)
    assert problem.distinct_options.tolist() == [0, 2, 3]

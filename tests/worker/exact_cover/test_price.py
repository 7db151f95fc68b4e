"""Prices shift what every cover costs by the same, and by no more than that."""

from hypothesis import given

from tests.worker.exact_cover.oracle import covers, problems
from worker.exact_cover.price import priced
from worker.exact_cover.problem import number


@given(problems())
def test_every_cover_costs_as_before_with_the_prices(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, costs = drawn
    problem = number(primary, secondary, options, costs)
    cheaper, base = priced(problem)
    assert min(cheaper.cost.tolist(), default=0) >= 0
    assert problem.cost.tolist() == costs
    for chosen in covers(primary, secondary, options):
        left = int(sum(cheaper.cost[k] for k in chosen))
        assert left + base == sum(costs[k] for k in chosen)


def test_an_item_alone_pays_its_whole_cost() -> None:
    cheaper, base = priced(number(2, 1, [[1], [2, 3], [1, 3]], [10**9, 10**9, 2 * 10**9]))
    assert (cheaper.cost.tolist(), base) == ([0, 0, 10**9], 2 * 10**9)


@given(problems())
def test_no_price_could_be_higher_by_itself(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, costs = drawn
    cheaper, _ = priced(number(primary, secondary, options, costs))
    left = cheaper.cost.tolist()
    for item in range(1, primary + 1):
        mine = [left[k] for k, option in enumerate(options) if item in option]
        assert min(mine, default=0) == 0


def test_items_share_what_an_option_costs() -> None:
    """One after the other they would take 10, nothing and nothing."""
    cheaper, base = priced(number(3, 0, [[1, 2], [2, 3], [1, 3]], [10, 10, 10]))
    assert (cheaper.cost.tolist(), base) == ([0, 0, 0], 15)

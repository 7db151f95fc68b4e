"""Cover problems with multiplicities as JSON: their outcomes, and what is rejected."""

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from storage.values import Kind
from tests.worker.multiplicity.oracle import covers
from tests.worker.solving import longer, one
from worker.covers.decoding import decode
from worker.covers.text import encode
from worker.errors import PuzzleError
from worker.estimate.estimate import estimate
from worker.multiplicity.solve import ROOM
from worker.options import Options
from worker.outcome import Outcome
from worker.solve import search

pytestmark = pytest.mark.usefixtures("warm_multiplicity")

#: item 1 once or twice, item 2 twice
PAIRS = [[1, 2], [1], [2], [1, 2], [2]]
TIMES = [(1, 2), (2, 2)]
EVERY = covers(2, 0, PAIRS, TIMES)


def text(options: Sequence[Sequence[int]] = PAIRS, **more: object) -> str:
    return json.dumps({"items": 2, "options": options, "multiplicities": TIMES, **more})


def found(outcome: Outcome) -> set[str]:
    return {kept.text for kept in outcome.kept}


def test_all_covers_are_found_and_counted() -> None:
    outcome = one(text(), Options(limit=None, keep=99))
    assert found(outcome) == {" ".join(str(k + 1) for k in chosen) for chosen in EVERY}
    assert (outcome.kind, outcome.size, outcome.clues) == ("cover", 2, None)
    assert (outcome.solutions, outcome.complete, outcome.bound) == (len(EVERY), True, None)
    counted = one(text(), Options(limit=None, count=True))
    assert (counted.solutions, counted.complete, len(counted.kept)) == (len(EVERY), True, 1)


def test_a_limit_ends_the_search() -> None:
    outcome = one(text(), Options(limit=2, keep=2))
    assert (outcome.solutions, outcome.complete, len(outcome.kept)) == (2, False, 2)


def test_with_target_the_cheapest_covers_are_kept() -> None:
    costs = [3, 1, 1, 4, 7]
    least = sorted(sum(costs[k] for k in chosen) for chosen in EVERY)
    problem = text(costs=costs)
    best = one(problem, Options(target=True, keep=2))
    assert [kept.score for kept in best.kept] == [-cost for cost in least[:2]]
    assert (best.complete, best.bound, best.solutions) == (True, -least[0], None)
    every = one(problem, Options(target=True, every=True))
    assert (every.solutions, every.bound) == (len(EVERY), -least[0])


def test_colours_and_secondary_items_hold_as_in_exact_covers() -> None:
    # Knuth's example of DLX3: A and B once, C two or three times, X and Y with colours.
    options = [[1, 2, 4, 5], [1, 3, 4, 5], [3, 4], [2, 4], [3, 5]]
    colours = [[[4, "0"], [5, "0"]], [[4, "1"], [5, "1"]], [[4, "0"]], [[4, "1"]], [[5, "1"]]]
    problem = {"items": 3, "secondary": 2, "options": options, "colours": colours}
    times = [[1, 1], [1, 1], [2, 3]]
    outcome = one(json.dumps({**problem, "multiplicities": times}), Options(limit=None))
    assert (found(outcome), outcome.solutions) == ({"2 4 5"}, 1)


def test_an_item_that_no_option_has_may_stay_uncovered() -> None:
    members = {"items": 2, "secondary": 2**31 - 1, "options": [[1]]}
    optional = json.dumps({**members, "multiplicities": [[1, 1], [0, 3]]})
    assert found(one(optional, Options())) == {"1"}
    needed = one(json.dumps({**members, "multiplicities": [[1, 1], [1, 3]]}), Options())
    assert (needed.kept, needed.solutions, needed.complete) == ((), 0, True)


def test_a_cover_without_options_is_a_solution() -> None:
    outcome = one('{"items": 1, "options": [[1]], "multiplicities": [[0, 1]]}', Options())
    assert (outcome.solutions, [kept.text for kept in outcome.kept]) == (2, [""])


def test_a_search_that_lasts_is_not_divided_and_ends_at_its_timeout() -> None:
    options = [[1 + k % 50, 1 + 7 * k % 50, 1 + 11 * k % 50] for k in range(200)]
    options = [sorted(set(option)) for option in options]
    lasting = {"items": 50, "options": options, "multiplicities": [[2, 4]] * 50}
    texts = [json.dumps(lasting), text()]
    tried = (Options(limit=None, timeout=limit) for limit in longer(0.2))
    searches = (list(search(Kind.COVER, texts, given, 0.01, budget=0.01)) for given in tried)
    slices = next(outcomes for outcomes in searches if len(outcomes) > 8)
    first, second = (row for outcomes in slices for row in outcomes.rows())
    assert (first.timed_out, first.complete, first.rest) == (True, False, None)
    assert second.solutions == len(EVERY)


@pytest.mark.parametrize(
    ("times", "why"),
    [
        ([[1, 1]], "`multiplicities` must be a list with a pair for each primary item (2)"),
        ([[1, 1], [1]], "the multiplicity of item 2 must be a pair [least, greatest]"),
        ([[1, 1], [1, True]], "the multiplicity of item 2 must be a pair [least, greatest]"),
        ([[3, 2], [1, 1]], "item 1 is 3 to 2; the least number must not exceed the greatest"),
        ([[-1, 2], [1, 1]], "item 1 is -1 to 2; the least number is 0 or more"),
        ([[0, 0], [1, 1]], "item 1 is 0 to 0; the least number is 0 or more, the greatest 1 to"),
    ],
)
def test_an_invalid_multiplicity_is_rejected_with_the_reason(times: object, why: str) -> None:
    with pytest.raises(PuzzleError) as rejection:
        decode(text(multiplicities=times))
    assert why in str(rejection.value)


def test_multiplicities_of_one_are_those_of_an_exact_cover() -> None:
    once = decode(text(multiplicities=[[1, 1], [1, 1]]))
    assert once.multiplicities is None
    assert "multiplicities" not in encode(once)
    with pytest.raises(PuzzleError, match="a set cover has no `multiplicities`"):
        decode(text(set_cover=True))


def test_a_problem_with_multiplicities_cannot_be_solved_as_a_set_cover() -> None:
    why = "a problem with multiplicities cannot be solved as a set cover"
    assert one(text(), Options(set_cover=True)).detail == why


def test_covers_are_counted_per_option() -> None:
    found = one(text(), Options(limit=None, count=True, per_option=True))
    expected = [sum(number in cover for cover in EVERY) for number in range(len(PAIRS))]
    assert json.loads(found.option_counts or "") == expected
    assert (found.solutions, len(found.kept)) == (len(EVERY), 1)


def test_covers_are_drawn_from_all_of_them_and_the_same_ones_by_the_same_seed() -> None:
    sampled = Options(limit=None, count=True, sample=200, seed=7)
    drawn = [solution.text for solution in one(text(), sampled).kept]
    assert len(drawn) == 200
    assert len(set(drawn)) == len(EVERY)
    assert drawn == [solution.text for solution in one(text(), sampled).kept]


def test_a_search_with_multiplicities_is_not_estimated() -> None:
    with pytest.raises(PuzzleError, match="covered several times"):
        estimate(Kind.COVER, text(), Options())


def test_more_covers_than_are_kept_at_a_time_are_counted_and_drawn_alike() -> None:
    subsets = json.dumps({"items": 1, "options": [[1]] * 14, "multiplicities": [[0, 14]]})
    found = one(subsets, Options(limit=None, count=True, per_option=True, sample=1000))
    assert found.solutions == 2**14 > 2 * ROOM
    assert json.loads(found.option_counts or "") == [2**13] * 14
    chosen = sum(len(solution.text.split()) for solution in found.kept)
    assert chosen / (14 * 1000) == pytest.approx(0.5, abs=0.03)  # seven standard deviations


def test_a_count_that_ends_early_has_no_numbers_per_option() -> None:
    endless = json.dumps({"items": 1, "options": [[1]] * 60, "multiplicities": [[0, 60]]})
    counted = Options(limit=None, count=True, per_option=True, sample=3)
    tried = (one(endless, replace(counted, timeout=limit)) for limit in longer(0.05))
    found = next(one for one in tried if one.kept)
    assert (found.timed_out, found.option_counts, len(found.kept)) == (True, None, 1)

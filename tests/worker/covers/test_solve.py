"""Cover problems as JSON: their outcomes, and texts that are not cover problems."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import partition
from tests.worker.solving import every, longer, one
from worker.covers.solve import solve
from worker.options import Options

pytestmark = pytest.mark.usefixtures("warm")

KNUTH = [[3, 5], [1, 4, 7], [2, 3, 6], [1, 4, 6], [2, 7], [4, 5, 7]]


def text(items: object, options: object, **more: object) -> str:
    return json.dumps({"items": items, "options": options, **more})


def test_options_are_numbered_from_1_as_in_the_text() -> None:
    outcome = one(text(7, [[], *KNUTH]), Options(limit=None))
    assert [(kept.text, kept.score) for kept in outcome.kept] == [("2 5 6", None)]
    assert (outcome.kind, outcome.size, outcome.clues) == ("cover", 7, None)
    assert (outcome.solutions, outcome.complete, outcome.bound) == (1, True, None)


@pytest.mark.parametrize("options", [Options(), Options(target=True)])
def test_outcomes_of_small_problems_are_yielded_together_and_in_order(options: Options) -> None:
    sizes = [1 + k % 7 for k in range(100)]
    texts = [text(n, [[k] for k in range(1, n + 1)], costs=[1] * n) for n in sizes]
    found = list(solve(texts, options, slice_seconds=0.25))
    assert [size for some in found for size in some.size] == sizes
    assert len(found) < len(texts) / 3


def test_a_problem_that_lasts_waits_for_no_other() -> None:
    langford = [[k, 15 + at, 16 + at + k] for k in range(1, 16) for at in range(1, 30 - k)]
    texts = [text(1, [[1]]), text(45, langford), *[text(1, [[1]])] * 100]
    found = [some for some in solve(texts, Options(limit=None), 0.01, budget=0.01) if some.ns]
    ends = next(k for k, some in enumerate(found) if 45 in some.size)
    assert found[ends].size[-1] == 45
    assert found[ends].rest[-1]


@given(problems(), st.integers(1, 4))
def test_the_covers_are_those_that_brute_force_finds(
    drawn: tuple[int, int, list[list[int]], list[int]], keep: int
) -> None:
    primary, secondary, options, _ = drawn
    outcome = one(text(primary, options, secondary=secondary), Options(limit=None, keep=3000))
    expected = covers(primary, secondary, options)
    found = [tuple(int(k) - 1 for k in kept.text.split()) for kept in outcome.kept]
    assert sorted(found) == sorted(expected)
    assert all(list(chosen) == sorted(chosen) for chosen in found)
    assert (outcome.solutions, outcome.size) == (len(expected), primary + secondary)
    few = one(text(primary, options, secondary=secondary), Options(limit=keep, keep=keep))
    assert few.kept == outcome.kept[:keep]


def _costs(chosen: str, costs: list[int]) -> int:
    return sum(costs[int(k) - 1] for k in chosen.split())


@given(problems(), st.integers(1, 4), st.booleans(), st.sampled_from([0, 5]))
def test_a_target_finds_the_cheapest_covers(
    drawn: tuple[int, int, list[list[int]], list[int]], keep: int, every: bool, less: int
) -> None:
    primary, secondary, options, costs = drawn
    costs = [cost - less for cost in costs]
    told = text(primary, options, secondary=secondary, costs=costs)
    outcome = one(told, Options(target=True, keep=keep, every=every))
    expected = covers(primary, secondary, options)
    found = [tuple(int(k) - 1 for k in kept.text.split()) for kept in outcome.kept]
    assert set(found) <= set(expected)
    assert len(set(found)) == len(found) == min(keep, len(expected))
    scores = sorted((-sum(costs[k] for k in chosen) for chosen in expected), reverse=True)
    assert [kept.score for kept in outcome.kept] == scores[:keep]
    assert [kept.score for kept in outcome.kept] == [
        -_costs(kept.text, costs) for kept in outcome.kept
    ]
    assert (outcome.complete, outcome.timed_out) == (True, False)
    assert outcome.bound == (scores[0] if scores else None)
    counted = every or len(expected) < keep
    assert outcome.solutions == (len(expected) if counted else None)


@given(problems())
def test_costs_do_not_matter_without_a_target(
    drawn: tuple[int, int, list[list[int]], list[int]],
) -> None:
    primary, secondary, options, costs = drawn
    plain = text(primary, options, secondary=secondary)
    priced = text(primary, options, secondary=secondary, costs=costs)
    for asked in (Options(), Options(limit=None, keep=5)):
        with_costs, without = one(priced, asked), one(plain, asked)
        assert with_costs._replace(ns=0) == without._replace(ns=0)


def test_the_largest_costs_are_added_exactly() -> None:
    many = 200
    told = text(many, [[k] for k in range(1, many + 1)], costs=[10**9] * many)
    outcome = one(told, Options(target=True))
    assert (outcome.kept[0].score, outcome.bound) == (-many * 10**9, -many * 10**9)


def test_the_largest_profits_are_added_exactly() -> None:
    many = 200
    told = text(many, [[k] for k in range(1, many + 1)], costs=[-(10**9)] * many)
    outcome = one(told, Options(target=True))
    assert (outcome.kept[0].score, outcome.bound) == (many * 10**9, many * 10**9)


def _matching(vertices: int) -> str:
    """The cheapest perfect matching of a complete graph whose costs have no pattern."""
    options = [[a, b] for a in range(1, vertices + 1) for b in range(a + 1, vertices + 1)]
    return text(vertices, options, costs=[a * b * 7919 % 997 for a, b in options])


def _partition() -> str:
    """A set partitioning problem that is not proven within the time limit of a test."""
    problem = partition(200, 3000, 0)
    bounds = zip(problem.first[:-1], problem.first[1:], strict=True)
    options = [problem.members[start:stop].tolist() for start, stop in bounds]
    return text(200, options, costs=problem.cost.tolist())


def test_a_matching_of_60_vertices_is_proven() -> None:
    outcome = one(_matching(60), Options(target=True, timeout=20))
    (kept,) = outcome.kept
    assert (outcome.complete, outcome.bound) == (True, kept.score)


def test_after_a_timeout_the_best_cover_so_far_and_a_bound_are_kept() -> None:
    tried = (one(_partition(), Options(target=True, timeout=limit)) for limit in longer(0.3))
    outcome = next(one for one in tried if one.kept)
    assert (outcome.timed_out, outcome.complete, outcome.solutions) == (True, False, None)
    (kept,) = outcome.kept
    assert kept.score is not None
    assert outcome.bound is not None
    assert kept.score <= outcome.bound <= 0


@pytest.mark.parametrize("side", [8, 10, 12])
def test_a_bound_exists_even_without_any_time(side: int) -> None:
    best = one(_matching(side), Options(target=True)).kept[0].score
    hasty = one(_matching(side), Options(target=True, timeout=0.0))
    assert best is not None
    assert hasty.bound is not None
    assert best <= hasty.bound < 0


def test_without_an_option_for_a_primary_item_there_is_no_cover() -> None:
    outcome = one(text(8, KNUTH), Options())
    assert (outcome.solutions, outcome.complete, outcome.nodes) == (0, True, 0)


def test_a_secondary_item_needs_no_option() -> None:
    outcome = one(text(2, [[1], [2, 4]], secondary=5), Options(limit=None))
    assert ([kept.text for kept in outcome.kept], outcome.size) == (["1 2"], 7)


def test_without_primary_items_the_empty_cover_is_the_only_one() -> None:
    for nothing in (text(0, []), text(0, [[1], [2], []], secondary=2)):
        outcome = one(nothing, Options(limit=None))
        assert ([kept.text for kept in outcome.kept], outcome.complete) == ([""], True)


def test_options_without_a_primary_item_are_never_chosen() -> None:
    outcome = one(text(1, [[2], [1], []], secondary=1), Options(limit=None))
    assert [kept.text for kept in outcome.kept] == ["2"]


def test_items_without_options_take_no_memory() -> None:
    assert one(text(10**9, [[1]]), Options()).solutions == 0
    assert one(text(1, [[1, 10**9]], secondary=10**9), Options()).solutions == 1


def test_an_option_may_have_100000_items() -> None:
    many = 100_000
    began = time.thread_time()
    outcome = one(text(many, [list(range(1, many + 1)), [1], [2]]), Options())
    assert [kept.text for kept in outcome.kept] == ["1"]
    assert outcome.complete
    assert time.thread_time() - began < 3


def test_a_problem_may_have_60000_options() -> None:
    outcome = one(text(3, [[k % 3 + 1] for k in range(60_000)]), Options(limit=1000, keep=1000))
    assert (outcome.solutions, len(outcome.kept)) == (1000, 1000)


def test_a_timeout_is_reported() -> None:
    endless = text(60, [[k % 60 + 1] for k in range(600)])
    one(endless, Options(1))  # loads the solver, which takes longer than the time limit
    outcomes = ((limit, one(endless, Options(None, timeout=limit))) for limit in longer(0.02))
    limit, outcome = next((limit, one) for limit, one in outcomes if one.kept)
    assert outcome.timed_out
    assert not outcome.complete
    assert len(outcome.kept) == 1
    assert outcome.ns < 5e9 * limit


@pytest.mark.parametrize(
    ("told", "why"),
    [
        ("{", "JSON"),
        ('{"a": ' * 100_000, "JSON"),
        ("{}", "`items`"),
        (text("7", KNUTH), "`items`"),
        (text(7.0, KNUTH), "`items`"),
        (text(True, [[1]]), "`items`"),
        (text(-1, []), "`items`"),
        (text(None, []), "`items`"),
        (text(7, KNUTH, secondary=None), "`secondary`"),
        (text(7, KNUTH, secondary=-2), "`secondary`"),
        ('{"items": 1}', "`options`"),
        (text(7, {"1": [1]}), "`options`"),
        (text(7, "1"), "`options`"),
        (text(2, [[1], 2]), "option 2"),
        (text(2, [[1], "2"]), "option 2"),
        (text(2, [[1], [2.0]]), "option 2"),
        (text(2, [[1], [True]]), "option 2"),
        (text(2, [[1], [[2]]]), "option 2"),
        (text(2, [[1], [None]]), "option 2"),
        (text(2, [[1], [3]]), "option 2"),
        (text(2, [[1], [0]]), "option 2"),
        (text(2, [[1], [-1]]), "option 2"),
        (text(2, [[1], [10**30]]), "option 2"),
        (text(2, [[1], [2, 2]]), "option 2"),
        (text(10**30, [[10**29]]), "`items`"),
        (text(2, [[1], [2]], costs=[1]), "`costs`"),
        (text(2, [[1], [2]], costs=3), "`costs`"),
        (text(2, [[1], [2]], costs=[1, -(10**9) - 1]), "option 2"),
        (text(2, [[1], [2]], costs=[1, 10**9 + 1]), "option 2"),
        (text(2, [[1], [2]], costs=[1, 1.5]), "option 2"),
        (text(2, [[1], [2]], costs=[1, True]), "option 2"),
        (text(2, [[1], [2]], costs=[1, None]), "option 2"),
    ],
)
def test_a_text_that_is_not_a_cover_problem_is_malformed(told: str, why: str) -> None:
    before, outcome, after = every([text(7, KNUTH), told, text(7, KNUTH)], Options())
    assert outcome.detail is not None
    assert why in outcome.detail
    assert len(outcome.detail) < 300
    assert (outcome.kept, outcome.solutions, outcome.complete) == ((), None, False)
    assert before.solutions == after.solutions == 1


def test_options_may_share_an_item_of_the_same_colour() -> None:
    told = text(2, [[1, 3], [2, 3], [2, 3]], secondary=1, colours=[[[3, "A"]], [[3, "A"]], []])
    outcome = one(told, Options(limit=None, keep=9))
    assert [kept.text for kept in outcome.kept] == ["1 2"]
    assert outcome.size == 3


@pytest.mark.parametrize(
    ("colours", "why"),
    [
        ([], "`colours` must be a list with a list for each option (1)"),
        ([17], "the colours of option 1"),
        ([[[1, "A"]]], "option 1 has a colour without"),
        ([[[2, 5]]], "the colours of option 1"),
        ([[[3, "A"]]], "option 1 has a colour without"),
    ],
)
def test_invalid_colours_are_malformed(colours: object, why: str) -> None:
    outcome = one(text(1, [[1, 2]], secondary=1, colours=colours), Options())
    assert outcome.detail is not None
    assert why in outcome.detail

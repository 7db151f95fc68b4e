"""Exact covers and set covers with any combination of options, against brute force.

Secondary items, colours, costs, covered exactly once or at least once, at most a cost, a limit, and
several covers to keep.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import problems
from tests.worker.solving import one
from worker.counting.from_diagram import FromDiagram
from worker.covers.solve import problem_of
from worker.covers.text import Colours, Cover, encode
from worker.options import Options
from worker.outcome import Outcome
from worker.set_cover.solve import cheapest
from worker.set_cover.strategy import Strategy

pytestmark = pytest.mark.usefixtures("warm", "warm_set_cover")


@st.composite
def covers(draw: st.DrawFn) -> Cover:
    """A small cover problem, with or without costs and colours."""
    primary, secondary, options, costs = draw(problems())
    coloured = None
    if draw(st.booleans()):
        colour = st.sampled_from(["", "A", "B"])
        drawn = [[(item, draw(colour)) for item in one if item > primary] for one in options]
        coloured = [[(item, name) for item, name in pairs if name] for pairs in drawn]
    has_costs = draw(st.booleans()) and len(costs) > 0
    priced = costs if has_costs else None
    return Cover(primary, secondary, options, priced, coloured, set_cover=draw(st.booleans()))


asked = st.builds(
    Options,
    limit=st.sampled_from([1, 2, 3, None]),
    target=st.booleans(),
    every=st.booleans(),
    keep=st.sampled_from([1, 2, 5, 3000]),
    at_most=st.none() | st.integers(0, 20),
)


def _check(cover: Cover, asked: Options) -> None:
    """Solve a problem, and compare with brute force."""
    options = _consistent(cover, asked)
    outcome = one(encode(cover), options)
    found = [tuple(int(k) - 1 for k in kept.text.split()) for kept in outcome.kept]
    every = dict(_solutions(cover, options))
    assert len(set(found)) == len(found)
    assert set(found) <= every.keys()
    if options.target or (cover.set_cover and options.at_most is None):
        _check_best(outcome, [-every[chosen] for chosen in found], every.values(), options)
        return
    limit = inf if options.limit is None else options.limit
    assert (outcome.solutions, outcome.bound) == (min(limit, len(every)), None)
    assert outcome.complete is (len(every) < limit)
    assert len(found) == min(limit, len(every), options.keep)
    assert all(kept.score is None for kept in outcome.kept)


def _consistent(cover: Cover, asked: Options) -> Options:
    """The options without those that cannot be combined."""
    if cover.set_cover:
        limit = 2 if asked.at_most is None else asked.limit
        return Options(set_cover=True, limit=limit, keep=asked.keep, at_most=asked.at_most)
    target = asked.target and cover.costs is not None
    limit = 2 if target else asked.limit
    return Options(target=target, limit=limit, keep=asked.keep, every=target and asked.every)


def _check_best(
    outcome: Outcome, scores: list[int], costs: Iterable[int], options: Options
) -> None:
    """Compare the scores of the kept covers with the lowest of all costs."""
    best = sorted((-cost for cost in costs), reverse=True)
    assert [kept.score for kept in outcome.kept] == scores == best[: options.keep]
    assert (outcome.complete, outcome.bound) == (True, best[0] if best else None)
    counted = options.every or len(best) < options.keep
    assert outcome.solutions == (len(best) if counted else None)


def _solutions(cover: Cover, options: Options) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield all covers, each with its cost; one that has a superfluous option is no set cover."""
    useful = [
        k for k, items in enumerate(cover.options) if min(items, default=inf) <= cover.primary
    ]
    costs = cover.costs or [1] * len(cover.options)
    found: list[set[int]] = []
    for size in range(cover.primary + 1):
        for chosen in combinations(useful, size):
            cost = sum(costs[k] for k in chosen)
            if not _is_cover(cover, chosen) or any(less < {*chosen} for less in found):
                continue
            found.append(set(chosen))
            if options.at_most is None or cost <= options.at_most:
                yield chosen, cost


def _is_cover(cover: Cover, chosen: Sequence[int]) -> bool:
    items = [item for k in chosen for item in cover.options[k]]
    if not {*range(1, cover.primary + 1)} <= {*items}:
        return False
    if not cover.set_cover and any(items.count(item) > 1 for item in range(1, cover.primary + 1)):
        return False
    return all(
        _agree([_colour(cover, k, item) for k in chosen if item in cover.options[k]])
        for item in range(cover.primary + 1, cover.items + 1)
    )


def _colour(cover: Cover, option: int, item: int) -> str | None:
    pairs: Colours = cover.colours[option] if cover.colours else []
    return dict(pairs).get(item)


def _agree(colours: Sequence[str | None]) -> bool:
    """Whether so many options may share a secondary item, to which they give these colours."""
    return len(colours) < 2 or (None not in colours and len({*colours}) == 1)


@given(covers(), asked)
@settings(max_examples=400)
def test_small_problems_have_the_solutions_of_brute_force(cover: Cover, asked: Options) -> None:
    _check(cover, asked)


@given(covers(), st.sampled_from([1, 2, 5]))
@settings(max_examples=200)
def test_set_covers_that_no_first_search_solves_are_those_of_brute_force(
    cover: Cover, keep: int
) -> None:
    _check_set_cover(cover, keep)


def _check_set_cover(cover: Cover, keep: int) -> None:
    """Solve a problem as a set cover with the bound and local search; compare with brute force."""
    cover = cover._replace(set_cover=True, costs=cover.costs or [1] * len(cover.options))
    every = dict(_solutions(cover, Options(set_cover=True)))
    strategy = Strategy(first_visits=0, early_visits=0, walk_after=0.0)
    *_, result = cheapest(problem_of(cover), keep=keep, strategy=strategy)
    assert result is not None
    assert [cost for _, cost in result.kept] == sorted(every.values())[:keep]
    assert dict(result.kept).items() <= every.items()


@given(covers(), st.sampled_from([1, 2, 5, 3000]), st.sampled_from([1, 10**9]))
@settings(max_examples=200)
def test_the_cheapest_covers_from_a_diagram_are_those_of_brute_force(
    cover: Cover, keep: int, slice_ns: int
) -> None:
    cover = cover._replace(set_cover=False, costs=cover.costs or [1] * len(cover.options))
    every = dict(_solutions(cover, Options(target=True)))
    search = FromDiagram(problem_of(cover), keep, memory=1 << 26)
    while not search.advance(slice_ns):
        assert not search.failed
    assert [cost for _, cost in search.kept] == sorted(every.values())[:keep]
    assert dict(search.kept).items() <= every.items()
    assert len(dict(search.kept)) == len(search.kept)


@pytest.mark.soak
@given(covers(), asked)
@settings(max_examples=100_000, deadline=None)
@pytest.mark.timeout(3600)
def test_100_000_small_problems_have_the_solutions_of_brute_force(
    cover: Cover, asked: Options
) -> None:
    _check(cover, asked)
    _check_set_cover(cover, asked.keep)

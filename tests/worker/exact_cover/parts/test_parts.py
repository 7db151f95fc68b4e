"""Parts of a search: together they are the whole search, wherever it is divided."""

import random
from itertools import pairwise, product
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.exact_cover.oracle import covers, problems
from tests.worker.exact_cover.problems import langford, partition, queens
from tests.worker.exact_cover.searching import AMPLE, FORMS, laid_out, search_for
from worker.exact_cover import stops
from worker.exact_cover.layout import links
from worker.exact_cover.nodes import WORD_BITS
from worker.exact_cover.parts.frontier import WHOLE, Frontier, Level, decode, encode
from worker.exact_cover.parts.part_search import ForeignPart, PartSearch
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.state import MANY_SOLUTIONS, Path, kept_paths, terms
from worker.stopwatch import Stopwatch

pytestmark = pytest.mark.usefixtures("warm")
Drawn = tuple[int, int, list[list[int]], list[int]]
LONG = int(AMPLE * 1e9)
#: more options than a word of a mask holds
WIDE = WORD_BITS + 1


class Total(NamedTuple):
    """What all parts of a search found together."""

    found: int
    nodes: int
    kept: list[tuple[int, Path]]  #: cost and options in the order in which they were chosen
    parts: int


def part_search(
    problem: Problem,
    levels: str = WHOLE.levels,
    keep: int = 1,
    *,
    compared: int = 8,
    form: str | None = None,
) -> PartSearch:
    asked = terms(limit=None, keep=keep)
    search = search_for(problem, min(keep, 4))
    search.state.clock_interval = 1  # it can stop at any node
    tables = laid_out(problem, form) if form else links(problem)
    return PartSearch(tables, search, asked, decode(levels), compared)


def searched_in_parts(problem: Problem, chance: random.Random, keep: int, **how: Any) -> Total:
    """Search parts in random order, each for a few nodes, and divide what is left of them."""
    found, nodes, ended, kept, waiting = 0, 0, 0, list[tuple[int, Path]](), [WHOLE]
    while waiting:
        levels = waiting.pop(chance.randrange(len(waiting))).levels
        part = part_search(problem, levels, keep, **how)
        for _ in range(chance.randint(1, 4)):
            part.advance(0)
        left = part.frontier()
        if left is None:
            ended += 1
        else:
            waiting += left.split(chance.randint(1, 6))
        state = part.search.state
        found, nodes = found + int(state.found), nodes + int(state.nodes)
        kept += [(cost, path) for path, cost in kept_paths(part.search)]
    return Total(found, nodes, sorted(kept)[:keep], ended)


def searched_at_once(problem: Problem, keep: int, **how: Any) -> Total:
    part = part_search(problem, keep=keep, **how)
    assert part.advance(LONG) == stops.EXHAUSTED
    kept = [(cost, path) for path, cost in kept_paths(part.search)]
    return Total(int(part.search.state.found), int(part.search.state.nodes), kept, 1)


@given(problems(), st.randoms(use_true_random=True), st.integers(1, 9), st.sampled_from(FORMS))
def test_parts_of_any_search_find_what_brute_force_finds(
    drawn: Drawn, chance: random.Random, keep: int, form: str
) -> None:
    primary, secondary, options, costs = drawn
    problem = number(primary, secondary, options, costs)
    total = searched_in_parts(problem, chance, keep, form=form)
    expected = covers(primary, secondary, options)
    assert total.found == len(expected)
    cheapest = sorted(sum(costs[k] for k in chosen) for chosen in expected)[:keep]
    assert [cost for cost, _ in total.kept] == cheapest
    assert {tuple(sorted(path)) for _, path in total.kept} <= set(expected)


@pytest.mark.parametrize(
    ("form", "compared"), [*product(("snapshots", "trail"), (1, 8)), ("dense", 8)]
)
@pytest.mark.parametrize(
    "problem", [queens(6), langford(7), partition(14, 60, 3), queens(7)._replace(primary=7)]
)
def test_parts_visit_the_nodes_of_the_whole_search_and_keep_its_first_covers(
    problem: Problem, form: str, compared: int
) -> None:
    for seed in range(2):
        how: dict[str, Any] = {"keep": 5, "compared": compared, "form": form}
        total = searched_in_parts(problem, random.Random(seed), **how)
        assert total._replace(parts=1) == searched_at_once(problem, **how)
        assert total.parts > 1


@pytest.mark.parametrize("form", FORMS)
def test_items_with_more_options_than_a_word_holds_are_divided_alike(form: str) -> None:
    options = [[item, 3 + k] for item in (1, 2) for k in range(WIDE)]
    problem = number(2, WIDE, options)
    how: dict[str, Any] = {"keep": 40, "form": form}
    total = searched_in_parts(problem, random.Random(1), **how)
    assert total.found == WIDE * (WIDE - 1)
    assert total._replace(parts=1) == searched_at_once(problem, **how)


@given(st.integers(0, 400), st.integers(1, 12), st.integers(0, 9))
def test_dividing_what_is_left_neither_adds_nor_loses_anything(
    slices: int, pieces: int, seed: int
) -> None:
    part = part_search(partition(12, 40, seed))
    while part.advance(0) == stops.PAUSED and slices > 0:
        slices -= 1
    left = part.frontier()
    if left is None:
        return
    parts = left.split(pieces)
    assert 1 <= len(parts) <= pieces
    assert sum(one.share for one in parts) == pytest.approx(left.share)
    assert all(a.share >= b.share for a, b in pairwise(parts[1:]))
    assert all(
        one.path == tuple(level.options[0] for level in decode(one.levels)) for one in parts[1:]
    )
    untried = [leaf for one in parts for leaf in leaves(one.levels)]
    assert sorted(untried) == sorted(leaves(encode(left.levels)))


def leaves(text: str) -> list[tuple[int, ...]]:
    """The paths that a part has still to enter."""
    levels = decode(text)
    path = [level.options[0] for level in levels]
    return [
        (*path[:depth], option)
        for depth, level in enumerate(levels)
        for option in level.options[depth < len(levels) - 1 :]
    ]


def test_the_share_that_is_left_falls_to_nothing() -> None:
    part, last = part_search(queens(6)), 1.0
    while part.advance(0) == stops.PAUSED:
        left = part.frontier()
        assert left is not None
        assert 0 < left.share <= last + 1e-9
        last = left.share
    assert part.frontier() is None


def test_a_part_stops_at_the_limit_over_all_its_options() -> None:
    problem = queens(8)
    asked = terms(limit=5, keep=5)
    part = PartSearch(links(problem), search_for(problem, 5), asked, (), 8)
    status = stops.PAUSED
    while status == stops.PAUSED:
        status = part.advance(0)
    assert (status, int(part.search.state.found), part.frontier()) == (stops.LIMITED, 5, None)


@pytest.mark.parametrize(
    "levels",
    [
        "[[1,2,0]]",  # the item has six options
        "[[1,6,99]]",  # there is no such option
        "[[99,6,0]]",  # there is no such item
        "[[1,6,0],[1,6,1]]",  # the item is covered
    ],
)
def test_a_part_of_another_search_is_rejected(levels: str) -> None:
    part = part_search(queens(6), levels)
    with pytest.raises(ForeignPart):
        part.advance(LONG)


@pytest.mark.parametrize("text", ["{}", "[1]", "[[1,2]]", "[[1,0,3]]", '[["a",1,2]]', "[[1,2,-3]]"])
def test_the_text_of_a_part_must_be_levels(text: str) -> None:
    with pytest.raises(ValueError, match="a part is"):
        decode(text)


def test_bounds_go_with_their_options() -> None:
    left = Frontier((Level(1, 3, (4, 5, 6), (9, 7, 3)), Level(2, 2, (8, 9), (9, 2))), 10)
    parts = left.split(4)
    assert left.bound == 9
    assert [one.bound for one in parts] == [9, 7, 3, 2]
    assert Frontier((), 10).split(3)[0].bound == 10


@pytest.mark.parametrize("form", FORMS)
def test_what_was_found_before_the_search_started_again_is_the_result_if_time_ends(
    form: str,
) -> None:
    problem = queens(10)
    search = search_for(problem, 20)
    part = PartSearch(laid_out(problem, form), search, terms(limit=None, keep=20), ())
    most = 0
    while search.state.found >= most:  # until it starts again
        most = int(search.state.found)
        assert part.advance(1) == stops.PAUSED
    part.watch = Stopwatch(0.0)
    assert part.advance(1) == stops.TIMED_OUT
    assert part.search.state.found == len(kept_paths(part.search)) == MANY_SOLUTIONS

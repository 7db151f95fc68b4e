"""The cheapest covers from a diagram, alone and in turns with branch and bound."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from tests.worker.counting.tilings import DOMINO, TROMINOES, tilings
from tests.worker.exact_cover.problems import partition
from tests.worker.solving import one
from worker.counting.from_diagram import FromDiagram
from worker.covers.text import Cover, encode
from worker.exact_cover import stops
from worker.exact_cover.costs import cheapest as costs_cheapest
from worker.exact_cover.costs.cheapest import (
    AHEAD,
    FIRST_SHARE_NS,
    HEAD_START_NS,
    LEAST_TURN_NS,
    Turns,
    cheapest,
)
from worker.exact_cover.problem import Problem, number
from worker.exact_cover.solve import Found
from worker.options import Options
from worker.set_cover.layout import once
from worker.set_cover.part import Parts
from worker.set_cover.solve import ExactCovers
from worker.set_cover.solve import cheapest as cheapest_by_bounds
from worker.stopwatch import Stopwatch

MEMORY = 1 << 28
SECOND = 10**9
pytestmark = pytest.mark.usefixtures("warm")


def priced(problem: Problem, seed: int = 1) -> Problem:
    """The same problem with random costs."""
    chance = np.random.default_rng(seed)
    return problem._replace(cost=chance.integers(1, 100, problem.cost.size))


def options_of(problem: Problem) -> list[list[int]]:
    ends = problem.first.tolist()
    return [problem.members[ends[k] : ends[k + 1]].tolist() for k in range(problem.cost.size)]


def least_costs(problem: Problem, keep: int) -> list[int]:
    """The costs of the cheapest tilings, cell by cell: per set of covered cells, the least ones."""
    by_cell: dict[int, list[tuple[int, int]]] = {}
    for items, cost in zip(options_of(problem), problem.cost.tolist(), strict=True):
        by_cell.setdefault(min(items), []).append((sum(1 << item for item in items), cost))
    now = {0: [0]}
    for cell in range(1, problem.items + 1):
        following: dict[int, list[int]] = {}
        for covered, costs in now.items():
            steps = [(0, 0)] if covered >> cell & 1 else by_cell.get(cell, [])
            for shape, cost in steps:
                if not covered & shape:
                    following.setdefault(covered | shape, []).extend(cost + one for one in costs)
        now = {covered: sorted(costs)[:keep] for covered, costs in following.items()}
    return next(iter(now.values()))


def found_by(search: FromDiagram) -> FromDiagram:
    while not search.advance(SECOND // 100) and not search.failed:
        pass
    return search


def result(problem: Problem, memory: int, timeout: float) -> Found:
    results = cheapest(
        problem,
        watch=Stopwatch(timeout, slice_seconds=0.05),
        others=[lambda: FromDiagram(problem, 1, memory)],
    )
    return next(one for one in results if one)


def test_a_board_that_branch_and_bound_does_not_prove_is_proven_by_its_diagram() -> None:
    board = priced(tilings(30, 6, TROMINOES))
    text = encode(Cover(board.primary, 0, options_of(board), board.cost.tolist()))
    assert one(text, Options(target=True, memory=1 << 14, timeout=0.6)).timed_out
    outcome = one(text, Options(target=True, keep=3))
    costs = least_costs(board, 3)
    assert [kept.score for kept in outcome.kept] == [-cost for cost in costs]
    assert (outcome.complete, outcome.bound) == (True, -costs[0])
    assert (outcome.solutions, outcome.rest) == (None, None)
    for kept in outcome.kept:
        chosen = [int(k) - 1 for k in kept.text.split()]
        assert sum(int(board.cost[k]) for k in chosen) == -(kept.score or 0)
    assert len({kept.text for kept in outcome.kept}) == 3


def test_as_many_covers_are_kept_as_there_are() -> None:
    board = priced(tilings(6, 6, DOMINO))
    search = found_by(FromDiagram(board, 10_000, MEMORY))
    assert [cost for _, cost in search.kept] == least_costs(board, 10_000)
    assert len(dict(search.kept)) == len(search.kept) == 6728


def test_pieces_are_combined_in_the_order_of_their_costs() -> None:
    board = priced(tilings(4, 4, DOMINO))
    options = options_of(board)
    other = [[16 + item for item in option] for option in options]
    problem = number(32, 0, options + other, [*board.cost.tolist(), *board.cost.tolist()[::-1]])
    search = found_by(FromDiagram(problem, 500, MEMORY))
    assert [cost for _, cost in search.kept] == least_costs(problem, 500)
    assert len(dict(search.kept)) == 500


@pytest.mark.parametrize(("keep", "memory"), [(1, 1 << 14), (1_000_000, 1 << 20)])
def test_a_search_with_too_little_memory_fails(keep: int, memory: int) -> None:
    search = found_by(FromDiagram(priced(tilings(6, 30, TROMINOES)), keep, memory))
    assert (search.failed, search.kept, search.advance(SECOND)) == (True, [], False)


@pytest.mark.parametrize("memory", [1 << 14, MEMORY])
def test_the_bound_and_the_best_cover_are_true_when_time_runs_out(memory: int) -> None:
    problem = priced(tilings(12, 12, TROMINOES))
    found = result(problem, memory, timeout=0.5)
    assert (found.status, found.frontier) == (stops.TIMED_OUT, None)
    assert found.bound is not None
    for chosen, cost in found.kept:
        assert found.bound <= cost == int(problem.cost[list(chosen)].sum())


def test_the_result_of_branch_and_bound_alone_is_the_same() -> None:
    board = priced(tilings(6, 8, DOMINO))
    costs = board.cost.tolist()
    (shown,) = (one for one in cheapest(board) if one)
    assert found_by(FromDiagram(board, 1, MEMORY)).kept[0][1] == shown.kept[0][1]
    assert result(board, MEMORY, timeout=30.0)._replace(ns=0) == shown._replace(ns=0)
    assert shown.status == stops.EXHAUSTED
    assert shown.bound == least_costs(board, 1)[0]
    assert shown.bound <= sum(costs)


@pytest.mark.parametrize("keep", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_searches_that_tell_each_other_their_covers_find_those_of_one(
    keep: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(costs_cheapest, "HEAD_START_NS", 0)
    monkeypatch.setattr(costs_cheapest, "HEAD_START_LAYOUTS", 0)
    monkeypatch.setattr(costs_cheapest, "LEAST_TURN_NS", 1)
    problem = partition(40, 400, seed)
    (alone,) = (found for found in cheapest(problem, keep=keep) if found)
    every: list[Callable[[], costs_cheapest.Other]] = [
        partial(ExactCovers, problem, keep),
        partial(FromDiagram, problem, keep, MEMORY),
    ]
    for others in (every[:1], every):
        slices = cheapest(problem, keep=keep, watch=Stopwatch(slice_seconds=0.001), others=others)
        (together,) = (found for found in slices if found)
        assert (together.status, together.bound) == (stops.EXHAUSTED, alone.bound)
        assert [cost for _, cost in together.kept] == [cost for _, cost in alone.kept]
        assert len(dict(together.kept)) == keep
        for chosen, cost in together.kept:
            assert cost == int(problem.cost[list(chosen)].sum())


def test_covers_above_a_limit_are_not_looked_for() -> None:
    problem = partition(40, 400, 0)
    (alone,) = (found for found in cheapest(problem) if found)
    least = alone.kept[0][1]
    for most, found in ((least, [least]), (least - 1, [])):
        search = ExactCovers(problem, 1)
        while not search.advance(SECOND // 100, most):
            pass
        assert [cost for _, cost in search.found.kept] == found


def both(problem: Problem) -> tuple[ExactCovers, FromDiagram, Turns]:
    """A search with a bound, one without, and their turns."""
    bounded, diagram = ExactCovers(problem, 1), FromDiagram(problem, 1, MEMORY)
    bounded.advance(SECOND)
    bounded.wall_ns = 0
    return bounded, diagram, Turns([lambda: bounded, lambda: diagram], layout_ns=0)


def test_most_of_the_time_after_a_head_start_is_for_the_search_with_the_best_bound() -> None:
    bounded, diagram, turns = both(priced(tilings(4, 4, DOMINO)))
    begun, turn, bound = HEAD_START_NS, LEAST_TURN_NS, bounded.found.bound
    assert bound
    assert turns.next(begun - 1, bound - 1, None) is None
    assert turns.next(begun + turn, bound - 1, None) == (bounded, AHEAD * turn)
    bounded.wall_ns = AHEAD * turn
    assert turns.next(begun + (1 + AHEAD) * turn, bound - 1, None) == (diagram, turn)
    diagram.wall_ns = turn
    assert turns.next(begun + (2 + AHEAD) * turn, bound - 1, None) is None
    bounded.wall_ns = diagram.wall_ns = 0
    assert turns.next(begun + AHEAD * turn - 1, bound + 1, None) is None
    assert turns.next(begun + AHEAD * turn, bound + 1, None) == (bounded, turn)
    bounded.failed = diagram.failed = True
    assert turns.next(begun + SECOND, bound, None) is None


def test_searches_whose_bounds_are_nearly_the_best_get_the_same_time() -> None:
    bounded, _, turns = both(priced(tilings(4, 4, DOMINO)))
    begun, turn, bound = HEAD_START_NS, LEAST_TURN_NS, bounded.found.bound
    assert bound
    most = bound + 400
    assert turns.next(begun + turn, bound + 99, most) == (bounded, turn)
    assert turns.next(begun + turn, bound + 101, most) is None


def test_a_search_is_not_divided_before_each_other_search_had_its_first_share_or_failed() -> None:
    bounded, diagram, turns = both(priced(tilings(4, 4, DOMINO)))
    assert not turns.are_tried
    turns.next(HEAD_START_NS, 0, None)
    bounded.wall_ns = FIRST_SHARE_NS
    assert not turns.are_tried
    diagram.failed = True
    assert turns.are_tried


@pytest.mark.parametrize("keep", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_the_search_with_the_best_bound_is_divided_and_its_parts_miss_nothing(
    keep: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HEAD_START_NS", "HEAD_START_LAYOUTS", "LEAST_TURN_NS"):
        monkeypatch.setattr(costs_cheapest, name, 0)
    monkeypatch.setattr(costs_cheapest, "FIRST_SHARE_NS", 20_000_000)
    monkeypatch.setattr(Turns, "ahead", lambda turns, _: turns.others[0] if turns.others else None)
    problem = partition(60, 3000, seed)._replace(factor=3, offset=1000)
    (alone,) = (found for found in cheapest_by_bounds(problem, once(problem), keep=keep) if found)
    watch = Stopwatch(slice_seconds=0.001, budget=0.0)
    slices = cheapest(problem, keep=keep, watch=watch, others=[partial(ExactCovers, problem, keep)])
    (left,) = (found for found in slices if found)
    scores = {path: problem.score(cost) for path, cost in left.kept}
    begin, setup = Parts(problem, once(problem)), left.setup if left.frontier else None
    assert setup
    while setup is not None:
        assert setup.has_bounds
        part = begin(keep, setup, ())
        while part.advance(SECOND) == stops.PAUSED:
            pass
        scores |= {path: setup.scores.of(cost) for path, cost in part.kept()}
        best = sorted(scores.values(), reverse=True)[:keep]
        setup = setup.following(best[-1] if len(best) == keep else None)
    assert sorted(scores.values(), reverse=True)[:keep] == [
        problem.score(cost) for _, cost in alone.kept
    ]

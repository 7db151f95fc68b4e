"""The best score, against all completions and the published samples."""

import random
from collections.abc import Sequence
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sudoku import grids, is_solution, score
from tests.worker.solving import P1074, completions, is_consistent, one, weighed
from worker.options import Options
from worker.sudoku.weights import MAX_REDUCED_SCORE

pytestmark = pytest.mark.usefixtures("warm")

weights_of_16 = st.lists(st.integers(-50, 99), min_size=16, max_size=16)


def test_the_first_sample_has_3_completions_that_all_score_2829() -> None:
    for every in (False, True):
        outcome = one(P1074[0], Options(target=True, every=every, keep=9))
        assert [solution.score for solution in outcome.kept] == [2829] * 3
        assert (outcome.bound, outcome.complete) == (2829, True)
    assert outcome.solutions == 3


def test_the_second_sample_has_85_completions_from_2842_to_2852() -> None:
    outcome = one(P1074[1], Options(target=True, every=True, keep=100))
    scores = [solution.score for solution in outcome.kept]
    assert (outcome.solutions, len(scores)) == (85, 85)
    assert scores == sorted(scores, key=lambda s: -(s or 0))
    assert (scores[0], scores[-1], outcome.bound) == (2852, 2842, 2852)
    for solution in outcome.kept:
        assert is_solution(P1074[1], solution.text)
        assert score(solution.text) == solution.score


@given(st.text("........1234", min_size=16, max_size=16), weights_of_16, st.integers(1, 9))
@settings(max_examples=60)
def test_the_best_completions_are_kept_with_any_weights(
    puzzle: str, weights: list[int], keep: int
) -> None:
    there = completions(puzzle) if is_consistent(puzzle) else []
    scores = sorted((weighed(solution, weights) for solution in there), reverse=True)
    for every in (False, True):
        options = Options(target=True, weights=tuple(weights), every=every, keep=keep)
        outcome = one(puzzle, options)
        assert [solution.score for solution in outcome.kept] == scores[:keep]
        assert all(weighed(kept.text, weights) == kept.score for kept in outcome.kept)
        assert all(is_solution(puzzle, kept.text) for kept in outcome.kept)
        assert (outcome.bound, outcome.complete) == (scores[0] if scores else None, True)
        counted = every or len(scores) < keep  # else some may have been pruned unseen
        assert outcome.solutions == (len(scores) if counted else None)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_of_85_completions_with_random_weights(seed: int) -> None:
    chance = random.Random(seed)
    weights = tuple(chance.randint(-99, 99) for _ in range(81))
    everything = one(P1074[1], Options(target=True, weights=weights, every=True, keep=100))
    scores = [solution.score for solution in everything.kept]
    assert len(scores) == 85
    for keep in (1, 7, 84, 86):
        outcome = one(P1074[1], Options(target=True, weights=weights, keep=keep))
        assert [solution.score for solution in outcome.kept] == scores[:keep]
        assert outcome.complete


def test_the_rings_are_the_default_weights() -> None:
    rings = [6 + min(i // 9, i % 9, 8 - i // 9, 8 - i % 9) for i in range(81)]
    with_rings = one(P1074[1], Options(target=True, weights=tuple(rings)))
    assert with_rings._replace(ns=0) == one(P1074[1], Options(target=True))._replace(ns=0)


@pytest.mark.parametrize("timeout", [0.0, 0.001])
@pytest.mark.parametrize("keep", [1, 50])
def test_after_a_timeout_no_completion_exceeds_the_bound(timeout: float, keep: int) -> None:
    # The best completion of the empty grid scores 2906.
    outcome = one("." * 81, Options(target=True, timeout=timeout, keep=keep))
    scores = [kept.score or 0 for kept in outcome.kept]
    assert outcome.bound is not None
    assert outcome.bound >= 2906
    assert all(kept <= 2906 for kept in scores)
    assert outcome.timed_out
    assert scores == sorted(scores, reverse=True)
    assert len(set(outcome.kept)) == len(scores) <= keep


#: 17-clue sudokus without some of their clues, and the best score of their completions
BEST = {
    "........1.......2...4..5.........6.....23......78..........65...3...9...82..1....": 2864,
    "................12..3.45.........3...1.......6.7..45.........8....8.....9.5......": 2872,
    "................2...3............3......15....67...4.......86.5...9.....4........": 2875,
    "........1.......23..4...................126....6.....8.....94..1........2........": 2853,
    ".................2..3........................62..........4.35.....8............2.": 2886,
    "." * 81: 2906,
}


@pytest.mark.parametrize(("puzzle", "best"), BEST.items())
def test_rounds_prove_the_best_of_more_completions_than_can_be_visited(
    puzzle: str, best: int
) -> None:
    outcome = one(puzzle, Options(target=True))
    assert (outcome.bound, outcome.complete, outcome.solutions) == (best, True, None)
    (kept,) = outcome.kept
    assert (kept.score, score(kept.text)) == (best, best)
    assert is_solution(puzzle, kept.text)


@pytest.mark.parametrize("keep", [1, 3, 20])
@pytest.mark.parametrize(("low", "high"), [(1, 99), (-50, 50), (-9, -1), (0, 1)])
def test_rounds_keep_the_best_of_16936_completions(keep: int, low: int, high: int) -> None:
    puzzle = next(iter(BEST))
    chance = random.Random(keep)
    weights = tuple(chance.randint(low, high) for _ in range(81))
    visited, proven = (
        one(puzzle, Options(target=True, weights=weights, every=every, keep=keep))
        for every in (True, False)
    )
    assert visited.solutions == 16_936
    assert proven.nodes < visited.nodes
    assert [kept.score for kept in proven.kept] == [kept.score for kept in visited.kept]
    assert len({kept.text for kept in proven.kept}) == keep
    assert all(weighed(kept.text, weights) == kept.score for kept in proven.kept)
    assert (proven.bound, proven.complete) == (visited.bound, True)


def test_more_time_lowers_the_bound_but_not_below_the_best_score() -> None:
    chance = random.Random(4)
    weights = tuple(chance.randint(-99, 99) for _ in range(256))
    brief, longer = (
        one("." * 256, Options(target=True, weights=weights, timeout=seconds, keep=2))
        for seconds in (0.0001, 1.0)
    )
    assert brief.timed_out
    assert brief.bound is not None
    assert longer.bound is not None
    assert longer.bound < brief.bound
    assert all(weighed(kept.text, weights) == kept.score for kept in longer.kept)
    assert all(kept.score is not None and kept.score <= longer.bound for kept in longer.kept)


def test_contradictory_clues_have_no_best_score() -> None:
    for every in (False, True):
        outcome = one("11" + "." * 79, Options(target=True, every=every))
        assert (outcome.kept, outcome.bound, outcome.complete) == ((), None, True)
        assert (outcome.kind, outcome.solutions) == ("target", 0)


def test_a_solved_grid_has_its_own_score() -> None:
    solved = one(P1074[0], Options()).kept[0].text
    outcome = one(solved, Options(target=True))
    assert [(kept.text, kept.score) for kept in outcome.kept] == [(solved, score(solved))]
    assert (outcome.bound, outcome.complete) == (score(solved), True)


@pytest.mark.parametrize("weight", [10**16, -(10**16), (2**63 - 1) // 64])
def test_equal_weights_are_limited_by_the_score_that_64_bits_hold(weight: int) -> None:
    outcome = one("." * 16, Options(target=True, weights=(weight,) * 16))
    assert (outcome.bound, outcome.complete) == (40 * weight, True)


@given(
    st.text("........1234", min_size=16, max_size=16),
    st.lists(st.integers(0, 9), min_size=16, max_size=16),
    st.integers(0, 2**50),
    st.integers(1, 3),
)
@settings(max_examples=60)
def test_the_best_completions_are_kept_with_weights_of_any_scale(
    puzzle: str, digits: list[int], spread: int, keep: int
) -> None:
    # Each weight is a digit times a common factor, or a number of any size up to the largest.
    most = MAX_REDUCED_SCORE // 64
    there = list(completions(puzzle)) if is_consistent(puzzle) else []
    chance = random.Random(spread)
    for weights in (
        [digit * (1 + spread) for digit in digits],
        [digit * (1 + spread) + 7 for digit in digits],
        [chance.randrange(-most + 1, most) // (1 + digit) ** 9 for digit in digits],
    ):
        scores = sorted((weighed(solution, weights) for solution in there), reverse=True)
        outcome = one(puzzle, Options(target=True, weights=tuple(weights), keep=keep))
        assert outcome.complete
        assert [solution.score for solution in outcome.kept] == scores[:keep]
        assert all(weighed(kept.text, weights) == kept.score for kept in outcome.kept)


@pytest.mark.parametrize("weights", [(1,) * 16, (), (1,) * 80, (10**18,) * 81, (10**30,) * 81])
def test_weights_of_the_wrong_number_or_size_are_malformed(weights: Sequence[int]) -> None:
    outcome = one(P1074[0], Options(target=True, weights=tuple(weights)))
    assert outcome.detail is not None
    assert "weight" in outcome.detail
    assert (outcome.kept, outcome.bound) == ((), None)


def test_the_time_limit_holds_while_very_many_solutions_are_kept() -> None:
    outcome = one("." * 81, Options(target=True, every=True, keep=10**6, timeout=0.1))
    assert outcome.timed_out
    assert outcome.ns < 400_000_000
    scores = [kept.score or 0 for kept in outcome.kept]
    assert len(scores) == outcome.solutions
    assert scores == sorted(scores, reverse=True)


def test_after_a_timeout_the_best_score_of_a_large_grid_is_close_to_the_bound() -> None:
    chance = random.Random(51)
    weights = tuple(chance.randint(1, 99) for _ in range(256))
    puzzle = next(grids(51, 50, 16))
    outcome = one(puzzle, Options(target=True, weights=weights, timeout=3))
    (best,) = outcome.kept
    assert outcome.timed_out
    assert is_solution(puzzle, best.text)
    assert best.score == weighed(best.text, weights)
    assert outcome.bound is not None
    assert 0.95 * outcome.bound < best.score <= outcome.bound


@pytest.mark.parametrize("keep", [1, 4])
def test_equal_scores_of_all_completions_are_proven(keep: int) -> None:
    for puzzle in islice(grids(18, 18), 6):
        outcome = one(puzzle, Options(target=True, weights=(99,) * 81, keep=keep, timeout=20))
        assert outcome.complete
        assert [kept.score for kept in outcome.kept] == [405 * 99] * keep
        assert len({kept.text for kept in outcome.kept}) == keep
        assert all(is_solution(puzzle, kept.text) for kept in outcome.kept)


@pytest.mark.attack
@pytest.mark.parametrize("offset", [1000, 10**6, 10**9, 10**12])
def test_what_all_completions_score_takes_no_search(offset: int) -> None:
    chance = random.Random(offset)
    puzzle = next(grids(3, 23))
    weights = [chance.randrange(4) for _ in range(81)]
    rows, columns, boxes = ([chance.randrange(offset) for _ in range(9)] for _ in range(3))
    more = [
        weight + offset + rows[k // 9] + columns[k % 9] + boxes[k // 27 * 3 + k % 9 // 3]
        for k, weight in enumerate(weights)
    ]
    small = one(puzzle, Options(target=True, weights=tuple(weights)))
    large = one(puzzle, Options(target=True, weights=tuple(more)))
    assert small.complete
    assert large.complete
    assert large.nodes < 2 * small.nodes + 1000
    shared = 45 * (9 * offset + sum(rows) + sum(columns) + sum(boxes))
    assert (large.kept[0].score or 0) - (small.kept[0].score or 0) == shared
    assert large.bound == large.kept[0].score

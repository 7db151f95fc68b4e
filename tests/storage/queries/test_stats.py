"""Statistics of solving times."""

from collections import Counter
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.database import read
from storage.errors import NoSuchBatch
from storage.queries.stats import Stats, stats
from storage.summaries.histogram import nearest_ranks
from storage.values import Status
from tests.storage.harness import Harness, answer_to, puzzles_of

times = st.lists(st.floats(0.001, 1e6), min_size=1, max_size=50).map(sorted)


def stats_of(harness: Harness, batch: int | None = None) -> Stats:
    with read(harness.engine) as connection:
        return stats(connection, batch)


@given(times, st.integers(1, 100))
def test_a_percentile_is_the_least_time_that_covers_its_share(
    ms: list[float], percent: int
) -> None:
    found = nearest_ranks(ms, [1] * len(ms), [percent])[percent]
    assert found in ms
    assert sum(time <= found for time in ms) >= ceil(len(ms) * percent / 100)
    assert sum(time < found for time in ms) < ceil(len(ms) * percent / 100)


def test_stats_cover_one_batch_or_all(harness: Harness) -> None:
    batch = harness.submit(101)
    (sent,) = harness.claim_new()
    *timed, untimed = puzzles_of(sent)
    given = [answer_to(puzzle, ms=float(n), score=n) for n, puzzle in enumerate(timed[::-1], 1)]
    bad = answer_to(untimed, ms=None, status=Status.INVALID)
    assert harness.store_answers(harness.must_take(sent.id), [*given, bad], worker="box-1")
    other = harness.submit(1)
    harness.solve(other)

    found = stats_of(harness, batch.id)
    assert found.by_status == {"solved": 100, "invalid": 1}
    assert (found.timed, found.total_ms, found.max_ms) == (100, 5050.0, 100.0)
    assert found.percentiles == {50: 50.0, 90: 90.0, 99: 99.0}
    hardest = [(one.id, one.nodes, one.ms) for one in found.hardest]
    assert hardest == [(timed[n].id, 7, 100.0 - n) for n in range(5)]
    assert (found.nodes, found.max_nodes) == ({50: 7, 90: 7, 99: 7}, 7)
    assert found.puzzles_per_second == 101 / found.wall_seconds if found.wall_seconds else True
    assert [tuple(work) for work in found.workers] == [("box-1", 100, 5050.0)]
    assert found.best_score == 100
    assert found.wall_seconds is not None
    assert 0 <= found.wall_seconds < 60
    assert stats_of(harness).timed == 101


def test_the_hardest_puzzles_have_most_nodes_and_among_equals_most_time(harness: Harness) -> None:
    harness.submit(6)
    (sent,) = harness.claim_new()
    effort = [(3, 9.0), (3, 2.0), (0, 500.0), (8, 0.1), (3, 9.0), (None, None)]
    given = [
        answer_to(puzzle, ms=ms)._replace(nodes=nodes)
        for puzzle, (nodes, ms) in zip(puzzles_of(sent), effort, strict=True)
    ]
    assert harness.store_answers(harness.must_take(sent.id), given)
    assert [one.id for one in stats_of(harness).hardest] == [given[k].id for k in (3, 0, 4, 1, 2)]


def test_a_solved_grid_without_search_nodes_was_not_guessed(harness: Harness) -> None:
    harness.submit(5)
    (sent,) = harness.claim_new()
    one, two, three, four, five = (answer_to(puzzle) for puzzle in puzzles_of(sent))
    none = five._replace(nodes=0, status=Status.NONE)
    cover = four._replace(nodes=0, kind="cover")
    given = [one._replace(nodes=0), two._replace(nodes=0), three, cover, none]
    assert harness.store_answers(harness.must_take(sent.id), given)
    found = stats_of(harness)
    assert (found.grids, found.unguessed) == (3, 2)


@given(st.lists(st.integers(0, 50), min_size=1), st.integers(1, 100))
def test_a_percentile_of_counted_values_is_that_of_the_sorted_ones(
    values: list[int], percent: int
) -> None:
    each, numbers = zip(*sorted(Counter(values).items()), strict=True)
    of_sorted = nearest_ranks(sorted(values), [1] * len(values), [percent])
    assert nearest_ranks(each, numbers, [percent]) == of_sorted


def test_stats_without_answers_are_empty(harness: Harness) -> None:
    harness.submit(1)
    found = stats_of(harness)
    assert (found.by_status, found.timed, found.percentiles, found.histogram) == ({}, 0, {}, [])
    assert (found.max_nodes, found.nodes, found.grids, found.unguessed) == (None, {}, 0, 0)
    assert (found.max_ms, found.best_score, found.wall_seconds, found.hardest) == (
        None,
        None,
        None,
        [],
    )


def test_stats_of_a_batch_that_does_not_exist_raise_no_such_batch(harness: Harness) -> None:
    with pytest.raises(NoSuchBatch):
        stats_of(harness, 9)

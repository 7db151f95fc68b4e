"""Statistics of solving times."""

from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.database import read
from storage.errors import NoSuchBatch
from storage.queries.stats import Stats, histogram, percentile, stats
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
    found = percentile(ms, percent)
    assert found in ms
    assert sum(time <= found for time in ms) >= ceil(len(ms) * percent / 100)
    assert sum(time < found for time in ms) < ceil(len(ms) * percent / 100)


@given(times)
def test_histogram_buckets_double_and_count_every_time(ms: list[float]) -> None:
    buckets = histogram(ms)
    assert sum(bucket.puzzles for bucket in buckets) == len(ms)
    assert buckets[0].puzzles
    assert buckets[-1].puzzles
    for bucket in buckets:
        least = bucket.least_ms
        assert bucket.puzzles == sum(least <= time < 2 * least for time in ms)
    for this, following in pairwise(buckets):
        assert following.least_ms == 2 * this.least_ms


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
    slowest = [(slow.id, slow.ms) for slow in found.slowest]
    assert slowest == [(timed[n].id, 100.0 - n) for n in range(5)]
    assert [tuple(work) for work in found.workers] == [("box-1", 100, 5050.0)]
    assert found.best_score == 100
    assert found.wall_seconds is not None
    assert 0 <= found.wall_seconds < 60
    assert stats_of(harness).timed == 101


def test_stats_without_answers_are_empty(harness: Harness) -> None:
    harness.submit(1)
    found = stats_of(harness)
    assert (found.by_status, found.timed, found.percentiles, found.histogram) == ({}, 0, {}, [])
    assert (found.max_ms, found.best_score, found.wall_seconds, found.slowest) == (
        None,
        None,
        None,
        [],
    )


def test_stats_of_a_batch_that_does_not_exist_raise_no_such_batch(harness: Harness) -> None:
    with pytest.raises(NoSuchBatch):
        stats_of(harness, 9)

"""Times told exactly."""

from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storage.database import read
from storage.errors import NoSuchBatch
from storage.queries.stats import Stats, histogram, percentile, stats
from storage.values import Status
from tests.storage.shop import Shop, answer_to, puzzles_of

times = st.lists(st.floats(0.001, 1e6), min_size=1, max_size=50).map(sorted)


def stats_of(shop: Shop, batch: int | None = None) -> Stats:
    with read(shop.engine) as connection:
        return stats(connection, batch)


@given(times, st.integers(1, 100))
def test_so_many_percent_took_no_longer_than_the_percentile(ms: list[float], percent: int) -> None:
    told = percentile(ms, percent)
    assert told in ms
    assert sum(time <= told for time in ms) >= ceil(len(ms) * percent / 100)
    assert sum(time < told for time in ms) < ceil(len(ms) * percent / 100)


@given(times)
def test_every_time_is_in_its_bucket_and_buckets_double(ms: list[float]) -> None:
    buckets = histogram(ms)
    assert sum(bucket.puzzles for bucket in buckets) == len(ms)
    assert buckets[0].puzzles
    assert buckets[-1].puzzles
    for bucket in buckets:
        least = bucket.least_ms
        assert bucket.puzzles == sum(least <= time < 2 * least for time in ms)
    for this, following in pairwise(buckets):
        assert following.least_ms == 2 * this.least_ms


def test_stats_tell_of_one_batch_or_of_all(shop: Shop) -> None:
    batch = shop.submit(101)
    (sent,) = shop.publish()
    *timed, untimed = puzzles_of(sent)
    given = [answer_to(puzzle, ms=float(n), score=n) for n, puzzle in enumerate(timed[::-1], 1)]
    bad = answer_to(untimed, ms=None, status=Status.INVALID)
    assert shop.finish(shop.taken(sent.id), [*given, bad], worker="box-1")
    other = shop.submit(1)
    shop.solve(other)

    told = stats_of(shop, batch.id)
    assert told.by_status == {"solved": 100, "invalid": 1}
    assert (told.timed, told.total_ms, told.max_ms) == (100, 5050.0, 100.0)
    assert told.percentiles == {50: 50.0, 90: 90.0, 99: 99.0}
    slowest = [(slow.id, slow.ms) for slow in told.slowest]
    assert slowest == [(timed[n].id, 100.0 - n) for n in range(5)]
    assert [tuple(work) for work in told.workers] == [("box-1", 100, 5050.0)]
    assert told.best_score == 100
    assert told.wall_seconds is not None
    assert 0 <= told.wall_seconds < 60
    assert stats_of(shop).timed == 101


def test_stats_of_nothing_are_empty(shop: Shop) -> None:
    shop.submit(1)
    told = stats_of(shop)
    assert (told.by_status, told.timed, told.percentiles, told.histogram) == ({}, 0, {}, [])
    assert (told.max_ms, told.best_score, told.wall_seconds, told.slowest) == (None, None, None, [])


def test_stats_of_a_batch_that_does_not_exist_are_refused(shop: Shop) -> None:
    with pytest.raises(NoSuchBatch):
        stats_of(shop, 9)

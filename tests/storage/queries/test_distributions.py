"""Distributions of times and scores, compared with a count in Python."""

from collections import Counter
from itertools import pairwise

import pytest

from storage.database import read
from storage.errors import NoSuchBatch
from storage.queries.stats import (
    CURVE_PERCENTILES,
    Distributions,
    MeanTime,
    stats_and_distributions,
)
from storage.values import Status
from tests.storage.harness import Harness, answer_to, puzzles_of


def distributions_of(harness: Harness, batch: int) -> Distributions:
    with read(harness.engine) as connection:
        return stats_and_distributions(connection, batch)[1]


def test_distributions_equal_a_plain_count(harness: Harness) -> None:
    batch = harness.submit(60)
    (sent,) = harness.claim_new()
    *timed, untimed = puzzles_of(sent)
    clues = [17 + n % 3 for n in range(len(timed))]
    times = [float(n * n % 50 + 1) for n in range(len(timed))]
    scores = [2840 + n % 7 for n in range(len(timed))]
    given = [
        answer_to(puzzle, ms=ms, score=score)._replace(clues=some)
        for puzzle, ms, some, score in zip(timed, times, clues, scores, strict=True)
    ]
    bad = answer_to(untimed, ms=None, status=Status.INVALID)._replace(clues=None)
    assert harness.store_answers(harness.must_take(sent.id), [*given, bad], worker="box-1")
    harness.solve(harness.submit(5))  # another batch

    found = distributions_of(harness, batch.id)
    assert found.scores == sorted(Counter(scores).items())
    for group in found.clues:
        ours = [ms for ms, some in zip(times, clues, strict=True) if some == group.value]
        assert (group.puzzles, group.max_ms) == (len(ours), max(ours))
        assert group.mean_ms == pytest.approx(sum(ours) / len(ours))
    assert [group.value for group in found.clues] == [17, 18, 19]
    (worker,) = found.workers
    assert worker == MeanTime("box-1", len(times), worker.mean_ms, max(times))
    assert worker.mean_ms == pytest.approx(sum(times) / len(times))


def test_the_curve_holds_ascending_percentiles(harness: Harness) -> None:
    batch = harness.submit(40)
    (sent,) = harness.claim_new()
    given = [answer_to(puzzle, ms=float(n)) for n, puzzle in enumerate(puzzles_of(sent), 1)]
    assert harness.store_answers(harness.must_take(sent.id), given, worker="box-1")
    curve = distributions_of(harness, batch.id).curve
    assert [share for share, _ in curve] == list(CURVE_PERCENTILES)
    assert all(here <= there for (_, here), (_, there) in pairwise(curve))
    assert (curve[0][1], curve[50][1], curve[-1][1]) == (1.0, 20.0, 40.0)


def test_distributions_of_a_batch_without_answers_are_empty(harness: Harness) -> None:
    batch = harness.submit(1)
    assert distributions_of(harness, batch.id) == Distributions([], [], [], [], [])


def test_distributions_of_a_batch_that_does_not_exist_raise_no_such_batch(harness: Harness) -> None:
    with pytest.raises(NoSuchBatch):
        distributions_of(harness, 77)

"""Progress of a batch: its answers, chunks and workers."""

import time
from collections.abc import Callable

import pytest
from sqlalchemy import Connection, update

from storage.clock import utc
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.outbox import leases
from storage.outbox.leases import Lease
from storage.queries.progress import Progress, count_outcomes, read_progress
from storage.tables import batch as batch_table
from storage.tables import chunk
from storage.values import ChunkState, Status
from tests.storage.harness import Harness, answer_to, answers_to, puzzles_of

NEW, SENT, TAKEN, DONE = ChunkState


def progress_of(harness: Harness, batch_id: int, *, tally: bool = False) -> Progress:
    with read(harness.engine) as connection:
        return read_progress(connection, batch_id, tally=tally)


def test_a_new_batch_has_no_answers_and_only_new_chunks(harness: Harness) -> None:
    batch = harness.submit(2, 3)
    found = progress_of(harness, batch.id, tally=True)
    assert found == Progress(batch, 0, {}, {NEW: 2, SENT: 0, TAKEN: 0, DONE: 0}, [], None)


def test_answers_of_unfinished_chunks_are_counted(harness: Harness) -> None:
    batch = harness.submit(2, 3, 1, 1)
    whole, part, _ = harness.claim_new(most=3)
    assert harness.store_answers(harness.must_take(whole.id), answers_to(whole))
    assert harness.store_answers(harness.must_take(part.id), answers_to(part)[:2], done=False)
    found = progress_of(harness, batch.id)
    assert found.answered == 4
    assert found.chunks == {NEW: 1, SENT: 1, TAKEN: 1, DONE: 1}


def test_puzzles_in_no_chunk_count_as_answered(harness: Harness) -> None:
    batch = harness.submit(2)
    with write(harness.engine) as connection:  # as if a third puzzle were invalid
        connection.execute(update(batch_table).values(puzzles=3))
    assert progress_of(harness, batch.id).answered == 1


def test_a_batch_that_is_not_ready_has_no_answers(harness: Harness) -> None:
    batch = harness.submit(2, ready=False)
    with write(harness.engine) as connection:  # as if more of its chunks were still to come
        connection.execute(update(batch_table).values(puzzles=5))
    assert progress_of(harness, batch.id).answered == 0


def test_answers_are_counted_by_status_on_request(harness: Harness) -> None:
    batch = harness.submit(3)
    (sent,) = harness.claim_new()
    one, two, three = puzzles_of(sent)
    none = answer_to(two, status=Status.NONE)
    assert harness.store_answers(
        harness.must_take(sent.id), [answer_to(one), none, answer_to(three)]
    )
    assert progress_of(harness, batch.id).by_status == {}
    assert progress_of(harness, batch.id, tally=True).by_status == {"solved": 2, "none": 1}


def test_each_worker_has_its_share(harness: Harness) -> None:
    batch = harness.submit(1, 2, 4, 8)
    for name, sent in zip(["bob", "ada", "bob", "eve"], harness.claim_new(), strict=True):
        lease = harness.must_take(sent.id, name)
        if name != "eve":
            assert harness.store_answers(lease, answers_to(sent), worker=name)
    shares = progress_of(harness, batch.id).workers
    assert [(share.worker, share.puzzles) for share in shares] == [
        ("ada", 2),
        ("bob", 5),
        ("eve", 0),
    ]
    assert all(share.last_seen >= batch.created_at for share in shares)


def test_renewing_a_lease_updates_last_seen(harness: Harness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.backdate(30, sent.id)
    (before,) = progress_of(harness, batch.id).workers
    assert harness.renew(lease)
    (after,) = progress_of(harness, batch.id).workers
    assert after.last_seen > before.last_seen


def died(connection: Connection, lease: Lease) -> None:
    leases.end(connection, lease.chunk_id, lease.attempt)


@pytest.mark.attack
@pytest.mark.parametrize("end", [leases.release, died])
def test_last_seen_stays_when_a_lease_ends(
    harness: Harness, end: Callable[[Connection, Lease], None]
) -> None:
    batch = harness.submit(1, 1)
    first, second = harness.claim_new()
    assert harness.store_answers(harness.must_take(first.id), answers_to(first))
    harness.backdate(30, first.id)
    lease = harness.must_take(second.id)
    before = progress_of(harness, batch.id).workers
    with write(harness.engine) as connection:
        end(connection, lease)
    assert progress_of(harness, batch.id).workers == before


def test_seconds_run_from_submission_to_the_last_completed_chunk(harness: Harness) -> None:
    batch = harness.submit(1, 1)
    with write(harness.engine) as connection:
        connection.execute(update(batch_table).values(created_at=utc(90)))
    first, second = harness.claim_new()
    assert harness.store_answers(harness.must_take(first.id), answers_to(first))
    with write(harness.engine) as connection:
        connection.execute(update(chunk).where(chunk.c.id == first.id).values(done_at=utc(50)))
    assert progress_of(harness, batch.id).seconds == pytest.approx(40, abs=2)
    assert harness.store_answers(harness.must_take(second.id), answers_to(second))
    assert progress_of(harness, batch.id).seconds == pytest.approx(90, abs=2)


def test_progress_of_a_batch_that_does_not_exist_raises_no_such_batch(harness: Harness) -> None:
    with pytest.raises(NoSuchBatch):
        progress_of(harness, 7)


def test_progress_of_a_million_puzzles_takes_milliseconds(on_sqlite: Harness) -> None:
    batch = on_sqlite.submit(*[1] * 500)
    with write(on_sqlite.engine) as connection:
        connection.execute(update(batch_table).values(puzzles=10**6))
        connection.execute(update(chunk).values(count=2000, answered=2000, state=DONE))
    with read(on_sqlite.engine) as connection:
        times = []
        for _ in range(20):
            began = time.perf_counter()
            assert read_progress(connection, batch.id).answered == 10**6
            times.append(time.perf_counter() - began)
    assert min(times) < 0.005  # 1 ms on an idle machine


def test_outcomes_count_the_answers_that_are_alike(harness: Harness) -> None:
    batch = harness.submit(8)
    other = harness.submit(1)
    for sent in harness.claim_new(most=2):
        several = [
            {"solutions": 1},
            {"solutions": 1},
            {"solutions": 2},
            {"solutions": 9},
            {"solutions": 1, "complete": False},
            {"status": Status.NONE, "solutions": 0},
            {"solutions": 1, "score": -5},
            {"solutions": 1, "score": -9},
        ]
        puzzles = zip(puzzles_of(sent), several, strict=False)
        found = [answer_to(puzzle, **given) for puzzle, given in puzzles]  # type: ignore[arg-type]
        assert harness.store_answers(harness.must_take(sent.id), found)
    with read(harness.engine) as connection:
        assert sorted(count_outcomes(connection, batch.id), key=str) == [
            ("none", 1, 0, None, 1),
            ("solved", 0, 1, None, 1),
            ("solved", 1, 1, -5, 2),
            ("solved", 1, 1, None, 2),
            ("solved", 1, 2, None, 2),
        ]
        assert count_outcomes(connection, other.id) == [("solved", 1, 1, None, 1)]

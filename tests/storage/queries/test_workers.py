"""The leases of workers, and the chunks that they completed."""

import pytest
from sqlalchemy import insert, update

from storage.clock import utc
from storage.database import read, write
from storage.queries.progress import ActiveLease, Work, active_leases, read_progress, work
from storage.tables import chunk, search, search_worker
from tests.storage.harness import QUEUE, Harness, answers_to

#: the columns of a search that are never null
NUMBERS = (
    "position",
    "elapsed",
    "parts",
    "open",
    "share",
    "progress",
    "nodes",
    "ns",
    "first_nodes",
)
TEXTS = ("kind", "puzzle", "setup", "began_at", "worked_at", "solutions", "first_solutions")


def leases_of(harness: Harness) -> list[ActiveLease]:
    with read(harness.engine) as connection:
        return active_leases(connection, QUEUE)


def work_of(harness: Harness) -> dict[str, Work]:
    with read(harness.engine) as connection:
        return {one.worker: one for one in work(connection, QUEUE)}


def test_active_leases_are_those_of_taken_chunks_in_all_batches(harness: Harness) -> None:
    first, second = harness.submit(2, 3, 1), harness.submit(1)
    completed, taken, other, _ = harness.claim_new(most=4)
    assert harness.store_answers(harness.must_take(completed.id, "ada"), answers_to(completed))
    harness.must_take(taken.id, "bob")
    harness.must_take(other.id, "eve")
    found = leases_of(harness)
    assert [lease[:4] for lease in found] == [
        ("bob", first.id, taken.id, 1),
        ("eve", second.id, other.id, 1),
    ]
    assert all(0 <= lease.silent < 5 for lease in found)


def test_leases_of_other_queues_and_of_cancelled_batches_are_left_out(harness: Harness) -> None:
    cancelled = harness.submit(1)
    harness.submit(1, queue="solve-0123")
    for sent in [*harness.claim_new(), *harness.claim_new("solve-0123")]:
        harness.must_take(sent.id)
    assert harness.cancel(cancelled)
    assert leases_of(harness) == []


def test_the_work_of_a_worker_covers_all_batches_of_the_queue(harness: Harness) -> None:
    harness.submit(2)
    harness.submit(4, 8)
    harness.submit(16, queue="solve-0123")
    sent = [*harness.claim_new(), *harness.claim_new("solve-0123")]
    for name, one in zip(["ada", "ada", "bob", "ada"], sent, strict=True):
        lease = harness.must_take(one.id, name)
        if name == "ada":
            assert harness.store_answers(lease, answers_to(one), worker=name)
    found = work_of(harness)
    assert {name: one.puzzles for name, one in found.items()} == {"ada": 6, "bob": 0}
    assert found["bob"].rate is None
    assert found["bob"].last_seen > ""


def test_a_worker_was_last_seen_at_the_end_of_its_last_turn_of_a_search(harness: Harness) -> None:
    batch = harness.submit(1)
    (sent,) = harness.claim_new()
    assert harness.store_answers(harness.must_take(sent.id), answers_to(sent))
    before = work_of(harness)["ada"].last_seen
    later = "2100-01-01T00:00:00.000Z"
    with write(harness.engine) as connection:
        values = dict.fromkeys(NUMBERS, 0) | dict.fromkeys(TEXTS, "")
        values |= {"id": batch.first_id, "batch_id": batch.id, "ended_at": later}
        connection.execute(insert(search).values(values))
        turn = {"search_id": batch.first_id, "worker": "ada", "turns": 1, "nodes": 1}
        connection.execute(insert(search_worker).values(turn))
    assert work_of(harness)["ada"].last_seen == before
    with write(harness.engine) as connection:
        connection.execute(update(search_worker).values(last_at=later))
    assert work_of(harness)["ada"].last_seen == later
    with read(harness.engine) as connection:
        (share,) = read_progress(connection, batch.id).workers
    assert share.last_seen == later


def test_the_rate_is_that_of_the_last_minute(harness: Harness) -> None:
    harness.submit(60, 30, 9)
    sent = harness.claim_new()
    for one in sent:
        assert harness.store_answers(harness.must_take(one.id), answers_to(one))
    # Taken and done 300 s ago; taken 20 s ago and done 10 s ago; taken 90 s ago and done now.
    times = zip(sent, [(300, 300), (20, 10)], strict=False)
    for one, (taken, done) in times:
        change = update(chunk).where(chunk.c.id == one.id)
        with write(harness.engine) as connection:
            connection.execute(change.values(taken_at=utc(taken), done_at=utc(done)))
    assert work_of(harness)["ada"].rate == pytest.approx(39 / 20, rel=0.2)
    with write(harness.engine) as connection:
        long = update(chunk).where(chunk.c.id == sent[2].id)
        connection.execute(long.values(taken_at=utc(90)))
    assert work_of(harness)["ada"].rate == pytest.approx(39 / 60)

"""Deleting a batch leaves nothing of it and everything of the others."""

import threading
from typing import Any

import pytest
from sqlalchemy import event, func, select, update

from storage import batches
from storage.batches import Batch
from storage.clock import utc
from storage.database import read, write
from storage.errors import BatchUnfinished, NoSuchBatch
from storage.outbox.removal import content, delete_batch, is_unfinished, older_than, vacuum
from storage.tables import answer, batch, chunk, extra, solution
from storage.values import Kept
from tests.storage.harness import Harness, answer_to, answers_to, puzzles_of

#: seconds in a day
DAY_SECONDS = 86400.0


def rows(harness: Harness) -> dict[str, int]:
    """Return the number of rows in each table that batches fill."""
    with read(harness.engine) as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (batch, chunk, answer, extra, solution)
        }


def solved(harness: Harness, *sizes: int) -> Batch:
    """Return a finished batch whose answers have two further solutions each."""
    made = harness.submit(*sizes)
    further = [Kept(2, None, "2143"), Kept(3, None, "3412")]
    for one in harness.claim_new():
        found = [answer_to(puzzle, further=further) for puzzle in puzzles_of(one)]
        assert harness.store_answers(harness.must_take(one.id), found)
    return made


def test_a_deleted_batch_leaves_nothing_and_others_keep_everything(harness: Harness) -> None:
    first, second, third = solved(harness, 2), solved(harness, 3, 4), solved(harness, 1)
    kept = harness.answered(first) + harness.answered(third)
    assert delete_batch(harness.engine, second.id, slice_puzzles=2) == []
    assert rows(harness) == {"batch": 2, "chunk": 2, "answer": 3, "extra": 2, "solution": 6}
    assert harness.answered() == kept
    with pytest.raises(NoSuchBatch):
        delete_batch(harness.engine, second.id)
    delete_batch(harness.engine, third.id)
    new = harness.submit(1)  # no number is used again
    assert (new.id, new.first_id) == (third.id + 1, third.last_id + 1)


def test_an_unfinished_batch_is_not_deleted(harness: Harness) -> None:
    made = harness.submit(1, 1)
    (one, _) = harness.claim_new()
    assert harness.store_answers(harness.must_take(one.id), answers_to(one))
    with pytest.raises(
        BatchUnfinished, match="batch 1 is not finished: cancel it first with bullseye"
    ):
        delete_batch(harness.engine, made.id)
    assert rows(harness) == {"batch": 1, "chunk": 2, "answer": 1, "extra": 1, "solution": 0}


def test_a_cancelled_batch_is_deleted_and_its_chunks_in_redis_returned(harness: Harness) -> None:
    made = harness.submit(1, 1, 1, 1)
    done, taken, sent = harness.claim_new(most=3)
    assert harness.store_answers(harness.must_take(done.id), answers_to(done))
    harness.must_take(taken.id)
    harness.cancel(made)
    assert sorted(delete_batch(harness.engine, made.id)) == [taken.id, sent.id]
    assert sum(rows(harness).values()) == 0


def test_a_worker_that_holds_a_deleted_chunk_stores_nothing(harness: Harness) -> None:
    made = harness.submit(2, 1)
    one, other = harness.claim_new()
    lease = harness.must_take(one.id)
    harness.cancel(made)
    delete_batch(harness.engine, made.id)
    found = answers_to(one)
    assert not harness.renew(lease)
    assert not harness.split(lease, puzzles_of(one))
    assert not harness.store_answers(lease, found[:1], done=False)
    assert not harness.store_answers(lease, found)
    harness.release(lease)
    assert harness.take(other.id) is None  # its message may still be delivered
    assert sum(rows(harness).values()) == 0


def test_an_interrupted_deletion_hides_the_batch_and_can_be_completed(harness: Harness) -> None:
    made = solved(harness, 3)

    def interrupt(_c: Any, _u: Any, statement: str, *_: Any) -> None:
        if statement.startswith("DELETE FROM answer"):
            raise KeyboardInterrupt

    event.listen(harness.engine, "before_cursor_execute", interrupt)
    with pytest.raises(KeyboardInterrupt):
        delete_batch(harness.engine, made.id)
    event.remove(harness.engine, "before_cursor_execute", interrupt)
    with read(harness.engine) as connection:
        assert batches.newest(connection) == []
    with pytest.raises(NoSuchBatch, match="being deleted"):
        harness.retry(made)
    delete_batch(harness.engine, made.id)
    assert sum(rows(harness).values()) == 0


def test_what_belongs_to_a_batch_is_counted(harness: Harness) -> None:
    made, empty = solved(harness, 2, 1), harness.submit(1)
    with read(harness.engine) as connection:
        assert content(connection, made.id)[:2] == (made, 3)
        assert 200 < content(connection, made.id).bytes < 1000
        assert content(connection, empty.id) == (empty, 0, 0, None)
        with pytest.raises(NoSuchBatch):
            content(connection, 77)


def test_old_batches_are_found_also_if_they_were_never_ready(harness: Harness) -> None:
    old, abandoned, new = solved(harness, 1), harness.submit(1, ready=False), solved(harness, 1)
    waiting, begun = harness.submit(1), harness.submit(1, ready=False)
    with write(harness.engine) as connection:
        aged = batch.c.id.in_([old.id, abandoned.id, waiting.id])
        connection.execute(update(batch).where(aged).values(created_at=utc(3 * DAY_SECONDS)))
    with read(harness.engine) as connection:
        found = [one.id for one in older_than(connection, 2 * DAY_SECONDS)]
        assert found == [old.id, abandoned.id, waiting.id]
        assert older_than(connection, 4 * DAY_SECONDS) == []
        assert [one for one in found if is_unfinished(connection, one)] == [waiting.id]
        assert not is_unfinished(connection, new.id)
        assert is_unfinished(connection, begun.id)
    delete_batch(harness.engine, abandoned.id)


def test_workers_and_a_deletion_at_the_same_time_leave_nothing(harness: Harness) -> None:
    made = harness.submit(*[3] * 40)
    chunks = harness.claim_new()
    errors: list[Exception] = []
    begun = threading.Semaphore(0)

    def solve(some: list[Any]) -> None:
        try:
            for one in some:
                lease = harness.take(one.id)
                begun.release()
                if lease:
                    found = answers_to(one)
                    harness.store_answers(lease, found[:1], done=False)
                    harness.store_answers(lease, found)
        except Exception as error:  # any would be a worker's crash
            errors.append(error)

    threads = [threading.Thread(target=solve, args=(chunks[at::3],)) for at in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(6):
        begun.acquire(timeout=30)
    harness.cancel(made)
    delete_batch(harness.engine, made.id, slice_puzzles=7)
    for thread in threads:
        thread.join()
    assert errors == []
    assert sum(rows(harness).values()) == 0


def test_a_vacuum_returns_the_space_of_deleted_rows(harness: Harness) -> None:
    made = solved(harness, 8000)
    solved(harness, 1)
    delete_batch(harness.engine, made.id)
    before, after = vacuum(harness.engine)
    assert after < before - 500_000
    assert len(harness.answered()) == 1
    harness.solve(harness.submit(1))  # the tables still work
    assert len(harness.answered()) == 2

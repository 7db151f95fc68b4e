"""What is wrong in a database is found."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from storage.batches import Batch, find
from storage.database import read, write
from storage.queries import health
from storage.values import Status
from tests.storage.harness import Harness, answer_to, answers_to, puzzles_of


def faults_of(harness: Harness, batch: Batch) -> list[str]:
    with read(harness.engine) as connection:
        return list(health.faults(connection, find(connection, batch.id)))


def half_solved(harness: Harness) -> Batch:
    """A batch of which one chunk is done, one partly answered, and one new."""
    batch = harness.submit(3, 2, 2)
    harness.submit(1)
    done, partly = harness.claim_new(most=2)
    given = [answer_to(puzzle, ms=puzzle.id / 3, score=puzzle.id) for puzzle in puzzles_of(done)]
    given[1] = answer_to(puzzles_of(done)[1], status=Status.NONE, solutions=0)
    assert harness.store_answers(harness.must_take(done.id), given)
    assert harness.store_answers(harness.must_take(partly.id), answers_to(partly)[:1], done=False)
    return batch


def test_a_batch_that_is_partly_solved_has_no_faults(harness: Harness) -> None:
    assert faults_of(harness, half_solved(harness)) == []


CHANGES = {
    "DELETE FROM answer WHERE id = 1": "1 puzzles have neither an answer nor a chunk, the first "
    "with the id 1",
    "UPDATE answer SET summary_id = 99 WHERE id = 1": "1 answers have no summary in this batch",
    "UPDATE summary SET batch_id = 2 WHERE status = 'none'": "1 answers have no summary in this "
    "batch",
    "UPDATE chunk SET answered = 0 WHERE id = 2": "1 chunks count their answers wrongly",
    "DELETE FROM answer WHERE id = 4": "1 chunks count their answers wrongly",
    "UPDATE answer SET score = NULL WHERE id = 3": "status solved by ada are not what a scan",
    "UPDATE answer SET ns = ns + 1000 WHERE id = 3": "gives: total_ms",
    "UPDATE summary SET max_nodes = 8": "gives: max_nodes",
    "DELETE FROM summary WHERE status = 'none'": "1 answers have no summary in this batch",
    "INSERT INTO summary SELECT 99, batch_id, worker, status, complete, solutions, first_id,"
    " last_id, answers, timed, total_ms, max_ms, max_nodes, max_score, grids, unguessed, last_at,"
    " details, kind, size, attempts FROM summary WHERE id = 1": "gives: answers",
    "DELETE FROM fingerprint": "the hashes that --reuse needs are not those of its puzzles",
}


@pytest.mark.parametrize("change", CHANGES)
def test_every_kind_of_damage_is_found(harness: Harness, change: str) -> None:
    batch = half_solved(harness)
    with write(harness.engine) as connection:
        connection.execute(text(change))
    assert any(CHANGES[change] in found for found in faults_of(harness, batch))


def retried(harness: Harness) -> Batch:
    batch = harness.submit(3)
    (sent,) = harness.claim_new()
    one, two, three = puzzles_of(sent)
    given = [answer_to(one), answer_to(two, status=Status.TIMEOUT, ms=99.0)]
    given.append(answer_to(three, status=Status.FAILED, ms=None))
    assert harness.store_answers(harness.must_take(sent.id), given)
    assert faults_of(harness, batch) == []
    assert harness.retry(batch) == 2
    return batch


def cancelled(harness: Harness) -> Batch:
    batch = half_solved(harness)
    assert harness.cancel(batch)
    return batch


@pytest.mark.parametrize("made", [retried, cancelled])
def test_retries_and_cancellations_leave_no_faults(
    harness: Harness, made: Callable[[Harness], Batch]
) -> None:
    batch = made(harness)
    assert faults_of(harness, batch) == []
    with read(harness.engine) as connection:
        harness.solve(find(connection, batch.id))
    assert faults_of(harness, batch) == []

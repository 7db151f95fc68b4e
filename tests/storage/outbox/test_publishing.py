"""Publishing: which chunks are claimed for sending, and how many at once."""

from collections import Counter
from collections.abc import Sequence

import pytest
from sqlalchemy import select, text, update

from storage.database import read, write
from storage.outbox import publishing
from storage.outbox.publishing import Chunk
from storage.packing import pack
from storage.tables import ACTIVE, chunk
from storage.tables import batch as batch_table
from storage.values import ChunkState, Kind, Priority, Puzzles
from tests.storage.harness import GRID, QUEUE, ROOM, Harness, answers_to

NEW, SENT, TAKEN, DONE = ChunkState
LOW, NORMAL, HIGH = Priority
#: the size of a chunk of one puzzle
CHUNK_BYTES = len(pack(Puzzles(Kind.SUDOKU, [1], None, [GRID])).puzzles)


def test_every_new_chunk_is_claimed_once(harness: Harness) -> None:
    batch = harness.submit(2, 2, 1)
    assert len(harness.claim_new()) == 3
    assert harness.claim_new() == []
    assert harness.states(batch) == {SENT: 3}


def test_batches_take_turns(harness: Harness) -> None:
    one, two, three = harness.submit(1, 1, 1), harness.submit(1), harness.submit(1, 1)
    first = [one.id, one.id, two.id, three.id]
    assert batches_of(harness.claim_new()) == [*first, one.id, three.id]


def test_a_new_batch_is_served_after_one_turn_of_each_other(harness: Harness) -> None:
    large = harness.submit(*[1] * 100)
    harness.claim_new(most=50)
    new = harness.submit(1)
    assert batches_of(harness.claim_new(most=4)) == [large.id, large.id, new.id, large.id]


def test_batches_of_high_priority_get_more_turns(harness: Harness) -> None:
    low, high = (harness.submit(*[1] * 50, priority=priority) for priority in (LOW, HIGH))
    harness.claim_new(most=1)
    claimed = Counter(batches_of(harness.claim_new(most=34)))
    assert claimed == {low.id: 2, high.id: 32}


def test_the_turns_of_one_queue_do_not_depend_on_those_of_another(harness: Harness) -> None:
    large = harness.submit(*[1] * 100)
    harness.claim_new(most=50)
    harness.submit(1, queue="another")
    assert batches_of(harness.claim_new(most=2)) == [large.id] * 2


def test_parts_of_searches_are_claimed_before_chunks_that_are_older(harness: Harness) -> None:
    batch = harness.submit(1, 1, 1, 1)
    with write(harness.engine) as connection:
        ids = list(connection.execute(select(chunk.c.id).order_by(chunk.c.id)).scalars())
        parts = chunk.c.id.in_(ids[2:])
        connection.execute(update(chunk).where(parts).values(count=0))
    assert [one.id for one in harness.claim_new(most=3)] == [ids[2], ids[3], ids[0]]
    assert [one.id for one in harness.claim_new(most=3)] == [ids[1]]
    assert harness.states(batch) == {SENT: 4}


@pytest.mark.parametrize("number", [1, 200])
def test_a_cancelled_batch_takes_no_turns(harness: Harness, number: int) -> None:
    cancelled, other = harness.submit(*[1] * number), harness.submit(1, 1)
    harness.cancel(cancelled)
    assert batches_of(harness.claim_new()) == [other.id] * 2


def test_finished_and_cancelled_batches_take_no_more_turns(harness: Harness) -> None:
    finished, cancelled, under_way, waits = (harness.submit(1) for _ in range(4))
    for one in harness.claim_new(most=3):
        if one.batch_id == finished.id:
            assert harness.store_answers(harness.must_take(one.id), answers_to(one))
    harness.cancel(cancelled)
    harness.retire()
    assert active(harness) == [under_way.id, waits.id]


def test_a_batch_that_is_retried_takes_turns_again(harness: Harness) -> None:
    batch = harness.submit(1, 1)
    harness.cancel(batch)
    harness.retire()
    assert active(harness) == []
    assert harness.retry(batch) == 2
    assert active(harness) == [batch.id]
    assert batches_of(harness.claim_new()) == [batch.id] * 2


def test_a_batch_that_is_being_submitted_is_not_retired(harness: Harness) -> None:
    batch = harness.submit(ready=False)
    harness.retire()
    assert active(harness) == [batch.id]


def active(harness: Harness) -> list[int]:
    with read(harness.engine) as connection:
        wanted = select(batch_table.c.id).where(text(ACTIVE)).order_by(batch_table.c.id)
        return list(connection.execute(wanted).scalars())


def batches_of(claimed: Sequence[Chunk]) -> list[int]:
    return [one.batch_id for one in claimed]


def test_only_chunks_of_the_given_queue_are_claimed(harness: Harness) -> None:
    harness.submit(1, queue="another")
    ours = harness.submit(1)
    assert [published.batch_id for published in harness.claim_new(QUEUE)] == [ours.id]


def test_no_more_bytes_are_claimed_than_there_is_room_for(harness: Harness) -> None:
    harness.submit(1, 1, 1, 1)
    first, second = harness.claim_new(room=2 * CHUNK_BYTES + 1)
    assert harness.claim_new(room=2 * CHUNK_BYTES + 1) == []
    harness.store_answers(harness.must_take(first.id), answers_to(first))
    (third,) = harness.claim_new(room=2 * CHUNK_BYTES + 1)
    assert third.id not in (first.id, second.id)


def test_a_chunk_larger_than_the_room_is_claimed_alone(harness: Harness) -> None:
    harness.submit(1, 1)
    assert len(harness.claim_new(room=1)) == 1
    assert harness.claim_new(room=1) == []


def test_chunks_are_claimed_in_several_calls_and_none_is_left_out(harness: Harness) -> None:
    batch = harness.submit(*[1] * 5)
    ids = [[one.id for one in harness.claim_new(most=2)] for _ in range(4)]
    assert list(map(len, ids)) == [2, 2, 1, 0]
    assert len({id_ for some in ids for id_ in some}) == batch.puzzles


def test_one_claim_takes_at_most_a_thousand_chunks(harness: Harness) -> None:
    harness.submit(*[1] * (publishing.MAX_CLAIMED_CHUNKS + 2))
    assert len(harness.claim_new(most=10**6)) == publishing.MAX_CLAIMED_CHUNKS
    assert len(harness.claim_new(most=10**6)) == 2


def test_one_claim_takes_no_more_bytes_than_its_limit(harness: Harness) -> None:
    harness.submit(1, 1, 1, 1)
    most = 2 * CHUNK_BYTES + 1
    with write(harness.engine) as connection:
        assert len(publishing.claim_new(connection, QUEUE, ROOM, most_bytes=most)) == 2
        assert len(publishing.claim_new(connection, QUEUE, ROOM, most_bytes=most)) == 2


def test_no_more_chunks_are_claimed_than_asked_for(harness: Harness) -> None:
    harness.submit(1, 1, 1)
    assert len(harness.claim_new(most=2)) == 2

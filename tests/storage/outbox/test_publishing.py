"""Publishing: which chunks are claimed for sending, and how many at once."""

from storage.database import write
from storage.outbox import publishing
from storage.values import ChunkState
from tests.storage.harness import GRID, QUEUE, ROOM, Harness, answers_to

NEW, SENT, TAKEN, DONE = ChunkState


def test_every_new_chunk_is_claimed_once(harness: Harness) -> None:
    batch = harness.submit(2, 2, 1)
    assert len(harness.claim_new()) == 3
    assert harness.claim_new() == []
    assert harness.states(batch) == {SENT: 3}


def test_chunks_of_the_oldest_batch_are_claimed_first(harness: Harness) -> None:
    older, younger = harness.submit(1), harness.submit(1, 1)
    again = harness.submit(1)
    wanted = [older.id, younger.id, younger.id, again.id]
    assert [published.batch_id for published in harness.claim_new()] == wanted


def test_only_chunks_of_the_given_queue_are_claimed(harness: Harness) -> None:
    harness.submit(1, queue="another")
    ours = harness.submit(1)
    assert [published.batch_id for published in harness.claim_new(QUEUE)] == [ours.id]


def test_no_more_bytes_are_claimed_than_there_is_room_for(harness: Harness) -> None:
    harness.submit(1, 1, 1, 1)
    size = len(GRID) + len('[[1,1,null,""]]')
    first, second = harness.claim_new(room=2 * size + 1)
    assert harness.claim_new(room=2 * size + 1) == []
    harness.store_answers(harness.must_take(first.id), answers_to(first))
    (third,) = harness.claim_new(room=2 * size + 1)
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
    with write(harness.engine) as connection:  # a chunk of one small grid has 33 bytes
        assert len(publishing.claim_new(connection, QUEUE, ROOM, most_bytes=70)) == 2
        assert len(publishing.claim_new(connection, QUEUE, ROOM, most_bytes=70)) == 2


def test_no_more_chunks_are_claimed_than_asked_for(harness: Harness) -> None:
    harness.submit(1, 1, 1)
    assert len(harness.claim_new(most=2)) == 2

"""Publishing: which chunks are claimed for sending, and how many at once."""

from storage.database import write
from storage.outbox import publishing
from storage.values import ChunkState
from tests.storage.shop import GRID, QUEUE, ROOM, Shop, answers_to

NEW, SENT, TAKEN, DONE = ChunkState


def test_every_new_chunk_is_claimed_once(shop: Shop) -> None:
    batch = shop.submit(2, 2, 1)
    assert len(shop.publish()) == 3
    assert shop.publish() == []
    assert shop.states(batch) == {SENT: 3}


def test_chunks_of_the_oldest_batch_are_claimed_first(shop: Shop) -> None:
    older, younger = shop.submit(1), shop.submit(1, 1)
    again = shop.submit(1)
    wanted = [older.id, younger.id, younger.id, again.id]
    assert [published.batch_id for published in shop.publish()] == wanted


def test_only_chunks_of_the_given_queue_are_claimed(shop: Shop) -> None:
    shop.submit(1, queue="another")
    ours = shop.submit(1)
    assert [published.batch_id for published in shop.publish(QUEUE)] == [ours.id]


def test_no_more_bytes_are_claimed_than_there_is_room_for(shop: Shop) -> None:
    shop.submit(1, 1, 1, 1)
    size = len(GRID) + len('[[1,1,null,""]]')
    first, second = shop.publish(room=2 * size + 1)
    assert shop.publish(room=2 * size + 1) == []
    shop.finish(shop.taken(first.id), answers_to(first))
    (third,) = shop.publish(room=2 * size + 1)
    assert third.id not in (first.id, second.id)


def test_a_chunk_larger_than_the_room_is_claimed_alone(shop: Shop) -> None:
    shop.submit(1, 1)
    assert len(shop.publish(room=1)) == 1
    assert shop.publish(room=1) == []


def test_thousands_of_chunks_are_claimed_in_several_calls_and_none_is_left_out(shop: Shop) -> None:
    batch = shop.submit(*[1] * (publishing.MAX_CLAIMED_CHUNKS + 2))
    ids = [one.id for one in shop.publish(most=10**6)]
    assert len(ids) == publishing.MAX_CLAIMED_CHUNKS
    ids += [one.id for one in shop.publish()]
    assert len(ids) == batch.puzzles
    shop.back_date(6, *ids)
    lost = shop.sweep(idle=True)
    assert len(lost) == publishing.MAX_CLAIMED_CHUNKS
    assert sorted(lost + shop.sweep(idle=True)) == ids
    assert shop.sweep(idle=True) == []


def test_one_claim_takes_no_more_bytes_than_its_limit(shop: Shop) -> None:
    shop.submit(1, 1, 1, 1)
    with write(shop.engine) as connection:  # a chunk of one small grid has 33 bytes
        assert len(publishing.claim_new(connection, QUEUE, ROOM, most_bytes=70)) == 2
        assert len(publishing.claim_new(connection, QUEUE, ROOM, most_bytes=70)) == 2


def test_no_more_chunks_are_claimed_than_asked_for(shop: Shop) -> None:
    shop.submit(1, 1, 1)
    assert len(shop.publish(most=2)) == 2

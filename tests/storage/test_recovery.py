"""What is published, and what is found lost."""

from sqlalchemy import select

from storage.database import write
from storage.outbox import publishing, recovery
from storage.tables import chunk
from storage.values import ChunkState
from tests.storage.shop import GRID, QUEUE, ROOM, Shop, answers_to

NEW, SENT, TAKEN, DONE = ChunkState


# --- publishing ---


def test_every_new_chunk_is_published_once(shop: Shop) -> None:
    batch = shop.submit(2, 2, 1)
    assert len(shop.publish()) == 3
    assert shop.publish() == []
    assert shop.states(batch) == {SENT: 3}


def test_the_oldest_batch_is_published_first(shop: Shop) -> None:
    older, younger = shop.submit(1), shop.submit(1, 1)
    again = shop.submit(1)
    wanted = [older.id, younger.id, younger.id, again.id]
    assert [published.batch_id for published in shop.publish()] == wanted


def test_only_chunks_of_the_own_queue_are_published(shop: Shop) -> None:
    shop.submit(1, queue="another")
    ours = shop.submit(1)
    assert [published.batch_id for published in shop.publish(QUEUE)] == [ours.id]


def test_no_more_is_published_than_there_is_room_for(shop: Shop) -> None:
    shop.submit(1, 1, 1, 1)
    size = len(GRID) + len('[[1,1,null,""]]')
    first, second = shop.publish(room=2 * size + 1)
    assert shop.publish(room=2 * size + 1) == []
    shop.finish(shop.taken(first.id), answers_to(first))
    (third,) = shop.publish(room=2 * size + 1)
    assert third.id not in (first.id, second.id)


def test_a_chunk_that_is_larger_than_the_room_goes_alone(shop: Shop) -> None:
    shop.submit(1, 1)
    assert len(shop.publish(room=1)) == 1
    assert shop.publish(room=1) == []


def test_thousands_are_claimed_in_portions_and_none_is_forgotten(shop: Shop) -> None:
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


def test_as_many_are_published_as_were_asked_for(shop: Shop) -> None:
    shop.submit(1, 1, 1)
    assert len(shop.publish(most=2)) == 2


# --- lost ---


def test_what_was_just_sent_is_not_lost_even_if_redis_is_idle(shop: Shop) -> None:
    shop.submit(1)
    shop.publish()
    assert shop.sweep(idle=True) == []


def test_a_backlog_of_hours_is_not_lost_while_redis_holds_messages(shop: Shop) -> None:
    shop.submit(1, 1)
    published = shop.publish()
    shop.back_date(7200, *(one.id for one in published))
    assert shop.sweep(idle=False) == []


def test_what_was_sent_is_lost_if_redis_is_idle(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    shop.back_date(6, sent.id)
    assert shop.sweep(idle=True) == [sent.id]
    assert shop.sweep(idle=True) == []  # sent again, just now


def test_what_was_overtaken_by_a_minute_is_lost(shop: Shop) -> None:
    shop.submit(1, 1)
    lost, later = shop.publish()
    shop.back_date(120, lost.id)
    assert shop.sweep() == []
    shop.taken(later.id)
    assert shop.sweep() == [lost.id]


def test_what_was_overtaken_by_another_batch_is_lost(shop: Shop) -> None:
    shop.submit(1)
    (lost,) = shop.publish()
    shop.back_date(120, lost.id)
    shop.solve(shop.submit(1, 1))
    assert shop.sweep() == [lost.id]


def test_what_was_sent_within_a_minute_of_the_last_taken_is_not_lost(shop: Shop) -> None:
    shop.submit(1, 1)
    waiting, later = shop.publish()
    shop.back_date(50, waiting.id)
    shop.taken(later.id)
    assert shop.sweep() == []


def test_a_chunk_of_another_queue_overtakes_nothing(shop: Shop) -> None:
    shop.submit(1)
    (waiting,) = shop.publish()
    shop.back_date(120, waiting.id)
    shop.solve(shop.submit(1, queue="another"))
    assert shop.sweep() == []


def test_a_second_attempt_overtakes_nothing(shop: Shop) -> None:
    # Its chunk was sent again a moment ago, and then its first message came to light.
    shop.submit(1, 1)
    one, waiting = shop.publish()
    shop.taken(one.id)
    shop.back_date(120, one.id, waiting.id)
    assert shop.sweep() == [one.id]
    shop.taken(one.id)
    assert shop.sweep() == []


def test_what_was_taken_and_not_renewed_is_lost(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    assert shop.sweep() == []
    shop.back_date(61, sent.id)
    assert shop.sweep() == [sent.id]
    assert shop.state(sent.id) == SENT
    assert not shop.renew(taken)


def test_what_is_renewed_is_not_lost(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.back_date(61, sent.id)
    assert shop.renew(taken)
    assert shop.sweep(idle=True) == []


def test_what_is_done_is_never_lost(shop: Shop) -> None:
    shop.submit(1, 1)
    one, other = shop.publish()
    assert shop.finish(shop.taken(one.id), answers_to(one))
    assert shop.finish(shop.taken(other.id), answers_to(other))
    shop.back_date(7200, one.id)
    assert shop.sweep(idle=True) == []


def test_a_cancelled_batch_is_neither_published_nor_taken_nor_swept(shop: Shop) -> None:
    batch = shop.submit(1, 1, 1)
    sent, taken = shop.publish(most=2)
    shop.taken(taken.id)
    shop.back_date(7200, sent.id, taken.id)
    assert shop.cancel(batch)
    assert shop.publish() == []
    assert shop.sweep(idle=True) == []
    assert shop.take(sent.id) is None


def test_chunks_of_another_queue_are_not_swept(shop: Shop) -> None:
    shop.submit(1, queue="another")
    (sent,) = shop.publish("another")
    shop.back_date(7200, sent.id)
    assert shop.sweep(idle=True) == []


def test_two_sweepers_that_saw_the_same_do_not_send_it_twice(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    shop.back_date(7200, sent.id)
    with write(shop.engine) as connection:
        seen = recovery.unchanged(*connection.execute(_SEEN).one())
        assert len(publishing.claim_unchanged(connection, [(sent.id, seen)])) == 1
        assert publishing.claim_unchanged(connection, [(sent.id, seen)]) == []


def test_what_was_finished_since_it_was_seen_is_not_sent_again(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    with write(shop.engine) as connection:
        seen = recovery.unchanged(*connection.execute(_SEEN).one())
    assert shop.finish(taken, answers_to(sent))
    with write(shop.engine) as connection:
        assert publishing.claim_unchanged(connection, [(sent.id, seen)]) == []
    assert shop.state(sent.id) == DONE


_SEEN = select(chunk.c.state, chunk.c.sent_at, chunk.c.taken_at)

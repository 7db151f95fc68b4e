"""Recovery: which chunks count as lost and are sent again."""

from sqlalchemy import select

from storage.database import write
from storage.outbox import publishing, recovery
from storage.tables import chunk
from storage.values import ChunkState
from tests.storage.shop import Shop, answers_to

NEW, SENT, TAKEN, DONE = ChunkState


def test_a_chunk_sent_just_now_is_not_lost_even_if_redis_is_idle(shop: Shop) -> None:
    shop.submit(1)
    shop.publish()
    assert shop.sweep(idle=True) == []


def test_a_backlog_of_hours_is_not_lost_while_redis_holds_messages(shop: Shop) -> None:
    shop.submit(1, 1)
    published = shop.publish()
    shop.back_date(7200, *(one.id for one in published))
    assert shop.sweep(idle=False) == []


def test_a_sent_chunk_is_lost_if_redis_is_idle(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    shop.back_date(6, sent.id)
    assert shop.sweep(idle=True) == [sent.id]
    assert shop.sweep(idle=True) == []  # sent again, just now


def test_a_chunk_is_lost_if_one_sent_a_minute_later_was_taken(shop: Shop) -> None:
    shop.submit(1, 1)
    lost, later = shop.publish()
    shop.back_date(120, lost.id)
    assert shop.sweep() == []
    shop.taken(later.id)
    assert shop.sweep() == [lost.id]


def test_a_chunk_is_lost_if_one_of_another_batch_sent_a_minute_later_was_taken(shop: Shop) -> None:
    shop.submit(1)
    (lost,) = shop.publish()
    shop.back_date(120, lost.id)
    shop.solve(shop.submit(1, 1))
    assert shop.sweep() == [lost.id]


def test_a_chunk_is_not_lost_if_it_was_sent_within_a_minute_of_the_last_one_taken(
    shop: Shop,
) -> None:
    shop.submit(1, 1)
    waiting, later = shop.publish()
    shop.back_date(50, waiting.id)
    shop.taken(later.id)
    assert shop.sweep() == []


def test_chunks_taken_from_another_queue_do_not_count(shop: Shop) -> None:
    shop.submit(1)
    (waiting,) = shop.publish()
    shop.back_date(120, waiting.id)
    shop.solve(shop.submit(1, queue="another"))
    assert shop.sweep() == []


def test_second_attempts_do_not_count(shop: Shop) -> None:
    # Its chunk was sent again a moment ago, and then its first message came to light.
    shop.submit(1, 1)
    one, waiting = shop.publish()
    shop.taken(one.id)
    shop.back_date(120, one.id, waiting.id)
    assert shop.sweep() == [one.id]
    shop.taken(one.id)
    assert shop.sweep() == []


def test_a_taken_chunk_whose_lease_is_not_renewed_is_lost(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    assert shop.sweep() == []
    shop.back_date(61, sent.id)
    assert shop.sweep() == [sent.id]
    assert shop.state(sent.id) == SENT
    assert not shop.renew(taken)


def test_a_taken_chunk_whose_lease_is_renewed_is_not_lost(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.back_date(61, sent.id)
    assert shop.renew(taken)
    assert shop.sweep(idle=True) == []


def test_a_chunk_that_is_done_is_never_lost(shop: Shop) -> None:
    shop.submit(1, 1)
    one, other = shop.publish()
    assert shop.finish(shop.taken(one.id), answers_to(one))
    assert shop.finish(shop.taken(other.id), answers_to(other))
    shop.back_date(7200, one.id)
    assert shop.sweep(idle=True) == []


def test_chunks_of_a_cancelled_batch_are_neither_claimed_nor_taken(shop: Shop) -> None:
    batch = shop.submit(1, 1, 1)
    sent, taken = shop.publish(most=2)
    shop.taken(taken.id)
    shop.back_date(7200, sent.id, taken.id)
    assert shop.cancel(batch)
    assert shop.publish() == []
    assert shop.sweep(idle=True) == []
    assert shop.take(sent.id) is None


def test_lost_chunks_of_another_queue_are_not_claimed(shop: Shop) -> None:
    shop.submit(1, queue="another")
    (sent,) = shop.publish("another")
    shop.back_date(7200, sent.id)
    assert shop.sweep(idle=True) == []


def test_two_processes_that_find_the_same_lost_chunk_claim_it_once(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    shop.back_date(7200, sent.id)
    with write(shop.engine) as connection:
        seen = recovery.unchanged(*connection.execute(_SEEN).one())
        assert len(publishing.claim_unchanged(connection, [(sent.id, seen)])) == 1
        assert publishing.claim_unchanged(connection, [(sent.id, seen)]) == []


def test_a_chunk_that_was_completed_since_it_was_read_is_not_claimed(shop: Shop) -> None:
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

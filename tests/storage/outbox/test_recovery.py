"""Recovery: which chunks count as lost and are sent again."""

from collections import deque

from sqlalchemy import select

from storage.database import write
from storage.outbox import publishing, recovery
from storage.outbox.publishing import Chunk
from storage.tables import chunk
from storage.values import ChunkState
from tests.storage.harness import Harness, answers_to

NEW, SENT, TAKEN, DONE = ChunkState


def test_a_chunk_sent_just_now_is_not_lost_even_if_redis_is_idle(harness: Harness) -> None:
    harness.submit(1)
    harness.claim_new()
    assert harness.claim_lost(idle=True) == []


def test_a_backlog_of_hours_is_not_lost_while_redis_holds_messages(harness: Harness) -> None:
    harness.submit(1, 1)
    published = harness.claim_new()
    harness.backdate(7200, *(one.id for one in published))
    assert harness.claim_lost(idle=False) == []


def test_a_sent_chunk_is_lost_if_redis_is_idle(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    harness.backdate(6, sent.id)
    assert harness.claim_lost(idle=True) == [sent.id]
    assert harness.claim_lost(idle=True) == []  # sent again, just now


def test_a_chunk_is_lost_if_one_sent_a_minute_later_was_taken(harness: Harness) -> None:
    harness.submit(1, 1)
    lost, later = harness.claim_new()
    harness.backdate(120, lost.id)
    assert harness.claim_lost() == []
    harness.must_take(later.id)
    assert harness.claim_lost() == [lost.id]


def test_a_chunk_is_lost_if_one_of_another_batch_sent_a_minute_later_was_taken(
    harness: Harness,
) -> None:
    harness.submit(1)
    (lost,) = harness.claim_new()
    harness.backdate(120, lost.id)
    harness.solve(harness.submit(1, 1))
    assert harness.claim_lost() == [lost.id]


class Line:
    """Two messages wait at a time, first in, first out; a chunk is solved every two minutes."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.ages: dict[int, float] = {}  #: seconds since each chunk was sent
        self.messages: deque[Chunk] = deque()
        self.publish()

    def publish(self) -> None:
        claimed = self.harness.claim_new(most=2 - len(self.messages))
        self.messages.extend(claimed)
        self.ages.update(dict.fromkeys((one.id for one in claimed), 0.0))

    def solve_one(self) -> None:
        for id_ in self.ages:
            self.ages[id_] += 120
            self.harness.backdate(self.ages[id_], id_)
        one = self.messages.popleft()
        assert self.harness.store_answers(self.harness.must_take(one.id), answers_to(one))
        self.publish()


def test_chunks_of_batches_in_turn_that_wait_for_slow_ones_are_not_lost(harness: Harness) -> None:
    batches = [harness.submit(*[1] * number) for number in (6, 1, 3)]
    line = Line(harness)
    while line.messages:
        line.solve_one()
        assert harness.claim_lost() == []
    assert [harness.states(batch) for batch in batches] == [{DONE: 6}, {DONE: 1}, {DONE: 3}]


def test_a_lost_chunk_is_found_when_those_sent_later_are_taken(harness: Harness) -> None:
    for number in (6, 1, 3):
        harness.submit(*[1] * number)
    line = Line(harness)
    lost = line.messages.popleft()
    line.publish()  # at the same time as the lost one and the other
    line.solve_one()
    line.solve_one()
    assert harness.claim_lost() == []
    line.solve_one()
    assert harness.claim_lost() == [lost.id]
    assert harness.claim_lost() == []


def test_a_chunk_is_not_lost_if_it_was_sent_within_a_minute_of_the_last_one_taken(
    harness: Harness,
) -> None:
    harness.submit(1, 1)
    waiting, later = harness.claim_new()
    harness.backdate(50, waiting.id)
    harness.must_take(later.id)
    assert harness.claim_lost() == []


def test_a_chunk_is_not_lost_if_only_chunks_of_another_queue_were_taken(harness: Harness) -> None:
    harness.submit(1)
    (waiting,) = harness.claim_new()
    harness.backdate(120, waiting.id)
    harness.solve(harness.submit(1, queue="another"))
    assert harness.claim_lost() == []


def test_a_chunk_is_not_lost_if_the_later_one_was_taken_for_the_second_time(
    harness: Harness,
) -> None:
    # A worker may have received the first of the two messages, which was not sent later.
    harness.submit(1, 1)
    one, waiting = harness.claim_new()
    harness.must_take(one.id)
    harness.backdate(120, one.id, waiting.id)
    assert harness.claim_lost() == [one.id]
    harness.must_take(one.id)
    assert harness.claim_lost() == []


def test_a_taken_chunk_whose_lease_is_not_renewed_is_lost(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    assert harness.claim_lost() == []
    harness.backdate(61, sent.id)
    assert harness.claim_lost() == [sent.id]
    assert harness.state(sent.id) == SENT
    assert not harness.renew(lease)


def test_a_taken_chunk_whose_lease_is_renewed_is_not_lost(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    harness.backdate(61, sent.id)
    assert harness.renew(lease)
    assert harness.claim_lost(idle=True) == []


def test_a_chunk_that_is_done_is_never_lost(harness: Harness) -> None:
    harness.submit(1, 1)
    one, other = harness.claim_new()
    assert harness.store_answers(harness.must_take(one.id), answers_to(one))
    assert harness.store_answers(harness.must_take(other.id), answers_to(other))
    harness.backdate(7200, one.id)
    assert harness.claim_lost(idle=True) == []


def test_chunks_of_a_cancelled_batch_are_neither_claimed_nor_taken(harness: Harness) -> None:
    batch = harness.submit(1, 1, 1)
    sent, taken = harness.claim_new(most=2)
    harness.must_take(taken.id)
    harness.backdate(7200, sent.id, taken.id)
    assert harness.cancel(batch)
    assert harness.claim_new() == []
    assert harness.claim_lost(idle=True) == []
    assert harness.take(sent.id) is None


def test_lost_chunks_of_another_queue_are_not_claimed(harness: Harness) -> None:
    harness.submit(1, queue="another")
    (sent,) = harness.claim_new("another")
    harness.backdate(7200, sent.id)
    assert harness.claim_lost(idle=True) == []


def test_a_lost_chunk_that_was_read_twice_is_claimed_once(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    harness.backdate(7200, sent.id)
    with write(harness.engine) as connection:
        seen = recovery.unchanged(*connection.execute(_SEEN).one())
        assert len(publishing.claim_unchanged(connection, [(sent.id, seen)])) == 1
        assert publishing.claim_unchanged(connection, [(sent.id, seen)]) == []


def test_a_chunk_that_was_completed_since_it_was_read_is_not_claimed(harness: Harness) -> None:
    harness.submit(1)
    (sent,) = harness.claim_new()
    lease = harness.must_take(sent.id)
    with write(harness.engine) as connection:
        seen = recovery.unchanged(*connection.execute(_SEEN).one())
    assert harness.store_answers(lease, answers_to(sent))
    with write(harness.engine) as connection:
        assert publishing.claim_unchanged(connection, [(sent.id, seen)]) == []
    assert harness.state(sent.id) == DONE


_SEEN = select(chunk.c.state, chunk.c.sent_at, chunk.c.taken_at)

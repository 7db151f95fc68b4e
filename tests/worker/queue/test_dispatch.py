from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from sqlalchemy import Engine, select

from storage import packing
from storage.database import read, write
from storage.outbox import leases, recovery
from storage.queries.progress import read_progress
from storage.tables import LEAST_COST, chunk
from storage.values import Answers, ChunkState
from tests.storage.harness import take_chunk
from tests.sudoku import grids
from tests.worker.conftest import Post, submit
from worker.errors import RedisUnreachable
from worker.queue.carrier import Carrier
from worker.queue.dispatch import MAX_SWEEP_SECONDS, Outbox, publish, sweep
from worker.queue.message import WorkerInfo


@pytest.fixture
def batch_id(engine: Engine, tmp_path: Path) -> int:
    """Sixteen puzzles in eight chunks."""
    return submit(engine, "\n".join(islice(grids(1, 40), 16)), tmp_path).id


def states(engine: Engine, batch_id: int) -> dict[ChunkState, int]:
    with read(engine) as connection:
        return {state: n for state, n in read_progress(connection, batch_id).chunks.items() if n}


def test_publishing_sends_every_new_chunk_once(outbox: Outbox, post: Post, batch_id: int) -> None:
    assert publish(outbox) == 8
    assert publish(outbox) == 0
    assert len(set(post.sent)) == 8
    assert states(outbox.engine, batch_id) == {ChunkState.SENT: 8}


def test_the_puzzles_of_a_chunk_are_in_redis_when_its_message_is_sent(
    outbox: Outbox, post: Post, batch_id: int
) -> None:
    publish(outbox)
    positions = [
        puzzle.position
        for chunk_id in post.sent
        for puzzle in packing.unpack(outbox.carrier.fetch(chunk_id) or "")
    ]
    assert positions == list(range(1, 17))


def test_chunks_that_redis_did_not_accept_are_new_again(
    outbox: Outbox, redis_url: str, batch_id: int
) -> None:
    with closing(Carrier.connect(redis_url, outbox.carrier.queue)) as carrier:
        client, full = carrier.client, replace(outbox, carrier=carrier)
        carrier.beat("worker@host", WorkerInfo(processes=4))
        client.config_set("maxmemory", 1)
        try:
            with pytest.raises(RedisUnreachable, match="is full"):
                publish(full)
        finally:
            client.config_set("maxmemory", 0)
        assert states(outbox.engine, batch_id) == {ChunkState.NEW: 8}
        assert carrier.fetch(1) is None
        assert publish(full) == carrier.waiting() == 8
        assert packing.unpack(carrier.fetch(1) or "")
        client.flushdb()


def test_small_chunks_are_sent_ahead_of_the_others(
    outbox: Outbox, post: Post, batch_id: int, tmp_path: Path
) -> None:
    with write(outbox.engine) as connection:
        connection.execute(chunk.update().values(cost=LEAST_COST + 1))
    large = [publish(outbox, most=3), *post.sent][1:]
    submit(outbox.engine, next(grids(2, 40)), tmp_path)
    publish(outbox)
    (small,) = set(post.sent[:1]) - set(large)
    assert post.sent[1:4] == large
    with read(outbox.engine) as connection:
        query = select(chunk.c.batch_id).where(chunk.c.id == small)
        assert connection.execute(query).scalar_one() > batch_id


def test_small_batches_do_not_keep_the_others_waiting_for_ever(
    outbox: Outbox, post: Post, batch_id: int, tmp_path: Path
) -> None:
    with write(outbox.engine) as connection:
        connection.execute(chunk.update().values(cost=LEAST_COST + 1))
    assert publish(outbox) == 8
    submit(outbox.engine, next(grids(2, 40)), tmp_path)
    assert publish(outbox) == 0  # eight of twelve wait
    for _ in range(2):
        outbox.carrier.client.rpop(outbox.carrier.lists[1])
    assert publish(outbox) == 1


def test_chunks_in_redis_stay_within_the_room(outbox: Outbox, post: Post, batch_id: int) -> None:
    narrow = replace(outbox, settings=replace(outbox.settings, room=600))
    assert 0 < publish(narrow) < 8
    for chunk_id in list(post.sent):
        with write(outbox.engine) as connection:
            taken = take_chunk(connection, chunk_id, "w")
            assert taken is not None
            assert leases.store_answers(connection, taken, Answers.of([]), "w", done=True)
    assert publish(narrow) > 0


def test_a_sweep_publishes_nothing_again_while_the_messages_are_in_the_queue(
    outbox: Outbox, post: Post, batch_id: int
) -> None:
    publish(outbox)
    assert sweep(outbox) == 0


def test_a_sweep_that_finds_nothing_to_do_does_not_wait_for_the_write_lock(
    outbox: Outbox, post: Post, batch_id: int
) -> None:
    publish(outbox)
    with write(outbox.engine):
        assert sweep(outbox) == 0


def test_a_sweep_publishes_chunks_again_that_redis_lost(
    outbox: Outbox, post: Post, batch_id: int
) -> None:
    publish(outbox)
    before = post.sent
    _make_old(outbox.engine)
    outbox.carrier.client.flushall()
    assert sweep(outbox) == 8
    assert sweep(outbox) == 0  # just sent
    assert sorted(post.sent) == sorted(before)


def test_a_sweep_whose_time_is_up_leaves_the_rest_to_the_next_one(
    outbox: Outbox, post: Post, batch_id: int
) -> None:
    publish(outbox)
    before, again = post.sent, list[int]()
    _make_old(outbox.engine)
    for lost in (3, 3, 2, 0):
        outbox.carrier.client.delete(*outbox.carrier.lists)
        assert sweep(outbox, seconds=0, most=3) == lost
        again += post.sent
    assert sorted(again) == sorted(before)


def test_a_sweep_ends_before_the_chunks_it_sent_can_look_lost(outbox: Outbox) -> None:
    assert MAX_SWEEP_SECONDS < recovery.MISSING_SECONDS < leases.DEFAULT_SECONDS


def test_publishing_stops_when_its_time_is_up(outbox: Outbox, post: Post, batch_id: int) -> None:
    assert publish(outbox, seconds=-1) == 0
    assert publish(outbox) == 8


def test_a_sweep_publishes_a_chunk_again_whose_lease_expired(
    outbox: Outbox, post: Post, batch_id: int
) -> None:
    publish(outbox)
    with write(outbox.engine) as connection:
        assert take_chunk(connection, post.sent[0], "dead")
    assert sweep(outbox) == 0
    _make_old(outbox.engine)
    assert sweep(outbox) == 1
    assert post.sent[-1] == post.sent[0]


def _make_old(engine: Engine) -> None:
    """Make every chunk look as if it had been sent and taken years ago."""
    with write(engine) as connection:
        for column in ("sent_at", "taken_at"):
            connection.exec_driver_sql(
                f"UPDATE chunk SET {column} = '2020-01-01T00:00:00.000Z' WHERE {column} IS NOT NULL"
            )

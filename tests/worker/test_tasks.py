"""Messages whose puzzles are not in Redis: the process that had them may have died."""

from pathlib import Path

import pytest

from storage.database import write
from storage.values import ChunkState
from tests.storage.harness import take_chunk
from tests.sudoku import grids
from tests.worker.attempt.conftest import state_of
from tests.worker.conftest import Post, submit
from tests.worker.queue.test_pool import pool_process
from worker.queue.dispatch import Outbox, publish
from worker.queue.pool import give_back
from worker.settings import Settings
from worker.tasks import recover


@pytest.fixture
def sent(outbox: Outbox, post: Post, tmp_path: Path) -> int:
    """The id of a chunk that was sent."""
    submit(outbox.engine, next(grids(2, 45)), tmp_path)
    publish(outbox)
    return post.sent[0]


def take(outbox: Outbox, chunk_id: int, worker: str) -> None:
    with write(outbox.engine) as connection:
        assert take_chunk(connection, chunk_id, worker)


def test_a_sent_chunk_whose_puzzles_are_lost_becomes_new(outbox: Outbox, sent: int) -> None:
    recover(outbox.engine, sent, "w")
    assert state_of(outbox.engine, sent) == ChunkState.NEW


def test_a_chunk_of_a_process_that_has_died_becomes_new(outbox: Outbox, sent: int) -> None:
    with pool_process(1, sent):
        take(outbox, sent, "w")
    recover(outbox.engine, sent, "w")
    assert state_of(outbox.engine, sent) == ChunkState.NEW


def test_a_chunk_of_a_live_process_stays_taken(outbox: Outbox, sent: int) -> None:
    with pool_process(1, sent):
        take(outbox, sent, "w")
        recover(outbox.engine, sent, "w")
        assert state_of(outbox.engine, sent) == ChunkState.TAKEN


def test_a_new_process_gives_back_the_chunk_of_the_killed_one_whose_place_it_takes(
    outbox: Outbox, sent: int, settings: Settings
) -> None:
    with pool_process(0, sent):  # the place of this process, too
        take(outbox, sent, "w")
        give_back(settings.database_url, "another worker")
        assert state_of(outbox.engine, sent) == ChunkState.TAKEN
    with pool_process(0, sent):
        pass
    give_back(settings.database_url, "w")
    assert state_of(outbox.engine, sent) == ChunkState.NEW


def test_a_new_process_that_finds_the_database_locked_starts_all_the_same(
    outbox: Outbox, sent: int, settings: Settings
) -> None:
    with pool_process(0, sent):
        take(outbox, sent, "w")
    with write(outbox.engine):
        give_back(settings.database_url, "w")
    assert state_of(outbox.engine, sent) == ChunkState.TAKEN


def test_a_chunk_of_another_worker_stays_taken(outbox: Outbox, sent: int) -> None:
    take(outbox, sent, "other")
    recover(outbox.engine, sent, "w")
    assert state_of(outbox.engine, sent) == ChunkState.TAKEN

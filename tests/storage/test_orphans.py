"""Batches whose process has died are ended by the next command."""

import subprocess

import pytest
from sqlalchemy import select, update

from storage import batches
from storage.batches import Batch
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.outbox import removal
from storage.outbox.removal import end_orphans
from storage.tables import batch, chunk, meta
from tests.storage.harness import Harness

pytestmark = pytest.mark.attack


def owned(harness: Harness, *, process: int | None = None, machine: str = "") -> Batch:
    """Store a batch that belongs to this process, or to another one."""
    made = harness.submit(2)
    row = meta.c.key == f"owner {made.id}"
    with write(harness.engine) as connection:
        removal.own(connection, made.id)
        ours, _, ours_id = str(
            connection.execute(select(meta.c.value).where(row)).scalar()
        ).partition(" ")
        value = f"{machine or ours} {process or ours_id}"
        connection.execute(update(meta).where(row).values(value=value))
    return made


def hide(harness: Harness, made: Batch) -> None:
    """Let a batch look as if it were not stored whole."""
    with write(harness.engine) as connection:
        connection.execute(update(batch).where(batch.c.id == made.id).values(ready=0))


@pytest.fixture
def dead() -> int:
    """The id of a process that has ended."""
    with subprocess.Popen(["true"]) as process:
        process.wait()
    return process.pid


def owner_rows(harness: Harness) -> list[str]:
    with read(harness.engine) as connection:
        return list(
            connection.execute(select(meta.c.key).where(meta.c.key.like("owner %"))).scalars()
        )


def test_what_a_dead_process_has_stored_of_a_batch_is_deleted(harness: Harness, dead: int) -> None:
    made = owned(harness, process=dead)
    hide(harness, made)
    end_orphans(harness.engine)
    with read(harness.engine) as connection:
        with pytest.raises(NoSuchBatch):
            batches.find(connection, made.id)
        assert connection.execute(select(chunk.c.id)).all() == []
    assert owner_rows(harness) == []


def test_a_batch_that_a_dead_process_was_solving_is_cancelled(harness: Harness, dead: int) -> None:
    made = owned(harness, process=dead)
    end_orphans(harness.engine)
    with read(harness.engine) as connection:
        assert batches.find(connection, made.id).cancelled_at
    assert owner_rows(harness) == []


def test_batches_of_live_processes_and_of_other_machines_are_left_alone(
    harness: Harness, dead: int
) -> None:
    ours, others = owned(harness), owned(harness, process=dead, machine="another/1")
    end_orphans(harness.engine)
    with read(harness.engine) as connection:
        for made in (ours, others):
            assert batches.find(connection, made.id).cancelled_at is None
    assert len(owner_rows(harness)) == 2


def test_a_batch_that_was_deleted_needs_no_owner(harness: Harness, dead: int) -> None:
    made = owned(harness, process=dead)
    removal.withdraw(harness.engine, made)
    end_orphans(harness.engine)
    assert owner_rows(harness) == []

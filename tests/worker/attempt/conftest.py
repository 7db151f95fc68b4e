"""Fixtures that deliver chunks to attempts, with a real database and the kernel."""

from dataclasses import dataclass, replace

import pytest
from sqlalchemy import Engine

from storage.database import read
from storage.queries.answers import select_answers
from tests.storage.harness import leases_last
from worker.attempt.chunk import attempt
from worker.attempt.context import Context
from worker.outcome import Search
from worker.queue.dispatch import Outbox
from worker.settings import Settings
from worker.solve import search


@dataclass
class Delivery:
    """Delivers the messages of published chunks to attempts."""

    outbox: Outbox
    settings: Settings
    now: float = 0.0  #: the time of the attempts' clock, in seconds
    engine: Engine | None = None  #: of the attempts; None: the outbox's

    def packed(self, chunk_id: int) -> str:
        """The puzzles of a chunk, as Redis holds them."""
        packed = self.outbox.carrier.fetch(chunk_id)
        assert packed is not None
        self.outbox.carrier.put(chunk_id, packed)
        return packed

    def __call__(self, chunk_id: int, search: Search = search) -> bool:
        context = Context(
            self.engine or self.outbox.engine,
            "w",
            self.settings,
            processes=lambda: 1,
            clock=lambda: self.now,
            search=search,
        )
        return attempt(context, chunk_id, self.packed(chunk_id))


@pytest.fixture
def deliver(outbox: Outbox, settings: Settings) -> Delivery:
    return Delivery(outbox, settings)


@pytest.fixture
def deliver_again(outbox: Outbox, settings: Settings) -> Delivery:
    """Deliveries with leases that have expired when the next worker takes the chunk."""
    leases_last(outbox.engine, 1e-9)
    return Delivery(outbox, replace(settings, renewal=1e-10))


def answers(engine: Engine, batch_id: int) -> list[tuple[int, str, str, str | None]]:
    with read(engine) as connection:
        found = select_answers(connection, batch=batch_id)
        return [(one.position, one.status, one.puzzle, one.solution) for one in found]


def state_of(engine: Engine, chunk_id: int) -> str:
    with read(engine) as connection:
        query = f"SELECT state FROM chunk WHERE id = {chunk_id}"
        return str(connection.exec_driver_sql(query).scalar_one())


def statuses(engine: Engine, batch_id: int) -> list[str]:
    return [status for _, status, _, _ in answers(engine, batch_id)]

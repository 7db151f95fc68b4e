"""How often a worker waits for PostgreSQL: what a chunk takes where the network has latency."""

from collections.abc import Iterator
from contextlib import closing

import pytest

from storage.database import write
from storage.outbox import leases
from storage.packing import digest
from tests.benchmarks.pipeline.latency import Latency
from tests.storage.harness import Harness, answers_to

#: seconds of a round trip: long, so that packets that are sent together also arrive together
SECONDS = 0.02


@pytest.fixture
def far(on_postgresql: Harness) -> Iterator[Latency]:
    with closing(Latency(on_postgresql.engine.url.port or 5432, SECONDS)) as far:
        yield far


@pytest.fixture
def harness(on_postgresql: Harness, far: Latency) -> Iterator[Harness]:
    url = on_postgresql.engine.url.set(host="127.0.0.1", port=far.port)
    harness = Harness.at(url.render_as_string(hide_password=False))
    yield harness
    harness.engine.dispose()


def test_a_chunk_waits_for_the_database_seven_times(
    on_postgresql: Harness, harness: Harness, far: Latency
) -> None:
    on_postgresql.submit(3, 3, 3, 3)
    counts = []
    for _ in range(2):  # the first one also connects
        before = far.round_trips
        sent, _ = harness.claim_new(most=2)
        claimed = far.round_trips
        with write(harness.engine, single=True) as connection:
            lease = leases.take(connection, sent.id, "box-1", digest(sent.puzzles))
        assert lease
        leased = far.round_trips
        assert harness.store_answers(lease, answers_to(sent))
        counts.append((claimed - before, leased - claimed, far.round_trips - leased))
    assert counts[1] == (4, 1, 2)

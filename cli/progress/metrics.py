"""What `bullseye metrics` shows, as Prometheus's client describes it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import Connection, Engine

from cli.progress.workers import WorkerState, WorkerTable
from storage.database import read
from storage.errors import StorageError
from storage.outbox import leases
from storage.queries import health
from storage.queries.metrics import backlog, batches_by_state
from storage.queries.progress import active_leases, work
from storage.summaries import table
from storage.values import ChunkState, Status
from worker.errors import RedisUnreachable
from worker.queue.carrier import Carrier, Presence, presence
from worker.settings import Settings

#: the states of a batch that `bullseye status` shows
BATCH_STATES = ("being stored", "waiting", "running", "paused", "complete", "cancelled", "archived")


@dataclass(frozen=True)
class Metrics(Collector):
    """Reads the state of a database, its queue and its workers when it is collected.

    If the database fails, StorageError is raised, unless `tolerant`: then only that is shown.
    """

    settings: Settings
    engine: Engine
    carrier: Carrier  #: of the queue
    tolerant: bool = False

    def collect(self) -> Iterable[Metric]:
        """Return all metrics.  A label has all its values, also those that count nothing."""
        known, rejected = presence(self.carrier), None
        with suppress(RedisUnreachable):
            rejected = self.carrier.rejected()
        try:
            found = [*self._of_database(known)]
        except StorageError:
            if not self.tolerant:
                raise
            found = [gauge("database_up", "Whether the database can be read.", 0)]
        return [*found, *_of_redis(known, rejected)]

    def _of_database(self, known: Presence) -> Iterator[Metric]:
        with read(self.engine) as connection:
            yield gauge("database_up", "Whether the database can be read.", 1)
            yield from _of_batches(connection)
            yield from _of_queue(connection, self.carrier.queue)
            yield from _of_workers(connection, self.carrier.queue, known, self.settings.renewal)


def _of_batches(connection: Connection) -> Iterator[Metric]:
    by_state, by_status = batches_by_state(connection), table.by_status(connection)
    yield gauges("batches", "Batches, by state.", "state", BATCH_STATES, by_state)
    yield gauges("answers", "Answers, by status.", "status", Status, by_status)
    refused = sum(health.refused_answers(connection).values())
    yield gauge("answers_refused", "Answers that a check found wrong.", refused)


def _of_queue(connection: Connection, queue: str) -> Iterator[Metric]:
    left = backlog(connection, queue)
    waiting = [state for state in ChunkState if state is not ChunkState.DONE]
    what = "Puzzles of the queue without an answer, by the state of their chunk."
    yield gauges("puzzles", what, "state", waiting, left.puzzles)
    what = "Chunks of the queue that are not done, by state."
    yield gauges("chunks", what, "state", waiting, left.chunks)
    what = "Seconds since the oldest batch with such chunks was submitted."
    yield gauge("oldest_seconds", what, left.oldest)
    what = "Seconds that one process is expected to need for the queue."
    yield gauge("work_seconds", what, left.seconds)
    yield gauge("searches", "Puzzles whose search is divided and goes on.", left.searches)
    expired = health.expired_leases(connection, leases.seconds(connection, queue))
    yield gauge("leases_expired", "Leases that were not renewed in time.", sum(expired.values()))


def _of_workers(
    connection: Connection, queue: str, known: Presence, renewal: float
) -> Iterator[Metric]:
    done, held = work(connection, queue), active_leases(connection, queue)
    rate = sum(one.rate or 0.0 for one in done)
    yield gauge("answers_per_second", "Answers per second in the last minute.", rate)
    lines = WorkerTable(renewal).update(0.0, known.workers, done, held, known.stalled)
    by_state = Counter(line.state for line in lines)
    yield gauges("workers", "Workers of the queue, by state.", "state", WorkerState, by_state)


def _of_redis(known: Presence, rejected: int | None) -> Iterator[Metric]:
    yield gauge("redis_up", "Whether Redis answers and takes messages.", not known.fault)
    if rejected is not None:
        what = "Foreign messages that were rejected."
        yield CounterMetricFamily("bullseye_foreign_messages", what, rejected)


def gauge(name: str, what: str, value: float) -> Metric:
    """Return a metric with one value."""
    return GaugeMetricFamily(f"bullseye_{name}", what, float(value))


def gauges(
    name: str, what: str, label: str, values: Iterable[str], numbers: Mapping[Any, int]
) -> Metric:
    """Return a metric with a number for each value of a label."""
    family = GaugeMetricFamily(f"bullseye_{name}", what, labels=[label])
    for value in values:
        family.add_metric([str(value)], numbers.get(value, 0))
    return family

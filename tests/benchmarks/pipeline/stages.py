"""CPU time per stage of the pipeline, measured in one process with the pipeline's functions."""

import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Engine

from storage.database import open_database, write
from storage.location import database_url
from storage.outbox import leases
from storage.packing import digest, unpack
from storage.values import Answers, Kind, Puzzles
from tests.benchmarks.pipeline.processes import cost
from worker import garbage
from worker.attempt.solver import Solver
from worker.formats.source import open_source
from worker.intake.spool import Spool
from worker.intake.submit import store
from worker.options import Options
from worker.queue import dispatch
from worker.queue.carrier import Carrier
from worker.queue.dispatch import Outbox
from worker.queue.message import requested_chunk
from worker.settings import Settings
from worker.solve import warm_up

QUEUE = "stages"


def stages(file: Path, folder: Path, redis_url: str, redis: int) -> dict[str, float]:
    """Return the microseconds of CPU per puzzle of `file`, by stage."""
    warm_up()
    garbage.collect_rarely()  # as in a worker
    stopwatch = Stopwatch()
    place = database_url(str(folder / "stages.db"))
    settings = Settings(place, redis_url, QUEUE)
    engine = open_database(place, migrate=True)
    before = cost(redis).cpu
    puzzles = _submit(file, engine, stopwatch)
    with closing(Carrier.connect(redis_url, QUEUE)) as carrier:
        outbox = Outbox(engine, carrier, settings)
        while _publish(outbox, stopwatch):
            _solve(outbox, stopwatch)
    engine.dispose()
    stopwatch.seconds["Redis"] = cost(redis).cpu - before
    return {name: spent / puzzles * 1e6 for name, spent in stopwatch.seconds.items()}


class Stopwatch:
    """Sums the CPU time of this thread by stage."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        began = time.thread_time()
        yield
        self.seconds[stage] += time.thread_time() - began


def _submit(file: Path, engine: Engine, stopwatch: Stopwatch) -> int:
    with Spool() as spool:
        with stopwatch("reading and checking"), open_source(str(file)) as source:
            spool.add(source)
        with stopwatch("storing chunks"):
            return store(engine, spool, Options(), name=None, queue=QUEUE).puzzles


def _publish(outbox: Outbox, stopwatch: Stopwatch) -> int:
    with stopwatch("publishing"):
        return dispatch.publish(outbox)


def _solve(outbox: Outbox, stopwatch: Stopwatch) -> None:
    """Take, solve and store the chunks that wait in Redis, as a worker does."""
    engine, carrier = outbox.engine, outbox.carrier
    messages = [line for name in carrier.lists for line in carrier.client.lrange(name, 0, -1)]
    carrier.client.delete(*carrier.lists)
    for number in map(requested_chunk, messages):
        with stopwatch("taking"):
            packed = carrier.fetch(number or 0) or ""
            with write(engine, single=True) as connection:
                taken = leases.take(connection, number or 0, "worker", digest(packed))
            puzzles = unpack(packed)
        assert taken is not None
        found = _answers(taken.kind, puzzles, stopwatch)
        with stopwatch("storing answers"), write(engine) as connection:
            leases.store_answers(connection, taken, found, "worker", done=True)
        with stopwatch("freeing"):
            del puzzles, found


def _answers(kind: Kind, puzzles: Puzzles, stopwatch: Stopwatch) -> Answers:
    with stopwatch("building answers"):
        run = Solver(kind, Options(), silence=60.0).run(puzzles)
        found = Answers.joined([results.answers for results in run])
    solving = sum(ms or 0.0 for ms in found.ms) / 1e3
    stopwatch.seconds["building answers"] -= solving
    stopwatch.seconds["solving"] += solving
    return found

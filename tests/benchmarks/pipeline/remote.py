"""Workers that reach Redis and PostgreSQL over a network with latency."""

import statistics
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Engine, text
from sqlalchemy.engine import make_url

from storage.database import open_database, read
from tests import services
from tests.benchmarks.pipeline.latency import Latency
from tests.benchmarks.pipeline.repeated import repeated
from tests.end_to_end.bullseye import Bullseye, eventually
from worker.local.backend import find_redis
from worker.local.process_group import process_group

COLLECTION = "hardest-1905-10k.txt"
#: lines of the input, of which the last 65,000 are in smaller and smaller chunks; and the seconds
#: that it may take
LINES, MAX_SECONDS = 960_000, 600.0
#: round-trip times in ms, and numbers of processes of one worker, None for that by default
CASES = ((0, 1), (1, 1), (20, 1), (20, 2), (20, 4), (0, None), (20, None))
#: the settings that name the servers
URLS = ("BULLSEYE_DATABASE_URL", "BULLSEYE_REDIS_URL")
#: what a batch took: its puzzles, chunks, and the seconds from its first chunk to its last
TOOK = text(
    "SELECT sum(count), count(*), extract(epoch FROM"
    " max(CAST(done_at AS timestamptz)) - min(CAST(taken_at AS timestamptz)))"
    " FROM chunk WHERE batch_id = :batch"
)


class Run(NamedTuple):
    """The measurements of one batch."""

    rate: float  #: puzzles per second
    round_trips: float  #: per chunk, of the whole worker


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a table of throughputs; `data` is the folder with the collections."""
    program, programs = find_redis(), services.find_postgresql()
    if data is None or program is None or programs is None:
        yield "Left out: remote workers need the collections (--data), Redis and PostgreSQL."
        return
    yield "| round trip | processes | puzzles/s | of one without latency | round trips a chunk |"
    yield "|--:|--:|--:|--:|--:|"
    local = 0.0
    with ExitStack() as stack:
        home = stack.enter_context(process_group())
        database = stack.enter_context(services.postgresql(programs, durable=True))
        redis_url = stack.enter_context(services.redis_server(program, home, "127.0.0.1"))
        there = Bullseye(home.folder, redis_url, {"BULLSEYE_DATABASE_URL": database.url})
        file = repeated(data / COLLECTION, home.folder, LINES)
        for milliseconds, processes in CASES:
            first = data / COLLECTION
            runs = [run(there, first, file, milliseconds / 1e3, processes) for _ in range(rounds)]
            rate = statistics.median(one.rate for one in runs)
            trips = statistics.median(one.round_trips for one in runs)
            local = local or rate
            cells = f"{processes or 'default'} | {rate:,.0f} | {rate / local:.0%} | {trips:.0f}"
            yield f"| {milliseconds} ms | {cells} |"


def run(there: Bullseye, first: Path, file: Path, seconds: float, processes: int | None) -> Run:
    """Solve a file by one worker at a distance of `seconds` from the servers of `there`.

    The worker has solved the `first` file before, so that it has started, and knows the statements.
    """
    database, redis = (make_url(there.env[name]) for name in URLS)
    with ExitStack() as stack:
        far = [
            stack.enter_context(closing(Latency(u.port or 0, seconds))) for u in (database, redis)
        ]
        urls = (url.set(port=one.port) for url, one in zip((database, redis), far, strict=True))
        settings = [url.render_as_string(hide_password=False) for url in urls]
        worker = Bullseye(there.folder, settings[1], dict(zip(URLS, settings, strict=True)))
        engine = open_database(there.env[URLS[0]], migrate=True)
        stack.callback(engine.dispose)
        stack.enter_context(worker.worker(processes))
        there.out("submit", "--wait", str(first))
        before = sum(one.round_trips for one in far)
        batch = int(there.out("submit", str(file)))
        eventually(lambda: _is_done(engine, batch), MAX_SECONDS)
        trips = sum(one.round_trips for one in far) - before
        with read(engine) as connection:
            puzzles, chunks, took = connection.execute(TOOK, {"batch": batch}).one()
    return Run(puzzles / float(took), trips / chunks)


def _is_done(engine: Engine, batch: int) -> bool:
    query = text("SELECT count(*) FROM chunk WHERE batch_id = :batch AND state <> 'done'")
    with read(engine) as connection:
        return not connection.execute(query, {"batch": batch}).scalar_one()

"""How long small batches wait while a large one is being solved."""

import statistics
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import NamedTuple

from redis import Redis
from sqlalchemy import Engine, text

from storage.database import open_database, read
from storage.location import database_url
from tests.benchmarks.pipeline.repeated import repeated
from tests.end_to_end.bullseye import Bullseye, eventually
from worker.local.backend import find_redis, private_redis
from worker.local.process_group import process_group


class Case(NamedTuple):
    """Small batches that are submitted one after another behind a large one."""

    batches: int
    puzzles: int  #: of each of them
    behind: int  #: puzzles of the large batch

    def __str__(self) -> str:
        return f"{self.batches} x {self.puzzles} | {self.behind:,}"


CASES = (Case(1, 20, 300_000), Case(1, 1, 1_000_000), Case(10, 1, 1_000_000))
#: the processes of the worker, and the priority of the large batch
SETTINGS = ((2, "normal"), (2, "low"), (1, "normal"))
#: the shares of the large batch that are answered when the first small batch is submitted
LEAST_ANSWERED, MOST_ANSWERED = 0.03, 0.5
#: seconds that a small batch may wait
MAX_SECONDS = 600.0


class Wait(NamedTuple):
    """How long one small batch waited."""

    seconds: float  #: from its submission to its last answer
    answered: float  #: the share of the large batch that was answered by then


def tables(data: Path | None, rounds: int) -> Iterator[str]:
    """Yield a table of waiting times; `data` is the folder with the collections."""
    program = find_redis()
    if data is None or program is None:
        yield "Left out: waiting times need the collections (--data) and a Redis program."
        return
    yield "| small batches | behind | processes | its priority | wait | answered | Redis, MB |"
    yield "|---|--:|--:|---|--:|--:|--:|"
    for processes, priority in SETTINGS:
        for case in CASES:
            with process_group() as home, private_redis(home, program) as url:
                ours = Bullseye(home.folder, url)
                with ours.worker(processes):
                    found = list(waits(ours, data / "17clue.txt", case, priority, rounds))
                yield f"| {case} | {processes} | {priority} | {_row(found)} | {_peak(url):.1f} |"


def _row(found: Sequence[Wait]) -> str:
    seconds = [one.seconds for one in found]
    middle = statistics.median(seconds)
    answered = statistics.median(one.answered for one in found)
    return f"{middle:.2f} s ({min(seconds):.2f}–{max(seconds):.2f}) | {answered:.0%}"


def waits(ours: Bullseye, file: Path, case: Case, priority: str, rounds: int) -> Iterator[Wait]:
    """Yield how long small batches waited; submit at least `rounds` of them.

    The worker has been started; `priority` is that of the large batch.
    """
    small = "\n".join(file.read_text().split()[: case.puzzles])
    copy = repeated(file, ours.folder, case.behind)
    engine = open_database(database_url(str(ours.database)), migrate=True)
    eventually(lambda: ours.live_workers() == 1)
    large = 0
    for _ in range(ceil(rounds / case.batches)):
        if not large or _answered(engine, large) > MOST_ANSWERED:
            ours.run("cancel", str(large))
            large = int(ours.out("submit", "--priority", priority, str(copy)))
            _await(engine, large, LEAST_ANSWERED)
        for batch in [int(ours.out("submit", "-", stdin=small)) for _ in range(case.batches)]:
            _await(engine, batch, 1.0)
            yield Wait(_seconds(engine, batch), _answered(engine, large))
    engine.dispose()


def _await(engine: Engine, batch: int, share: float) -> None:
    """Wait until a share of a batch is answered."""
    eventually(lambda: _answered(engine, batch) >= share, MAX_SECONDS)


def _answered(engine: Engine, batch: int) -> float:
    """Return the share of a batch that is answered."""
    query = "SELECT sum(answered) * 1.0 / sum(count) FROM chunk WHERE batch_id = :batch"
    with read(engine) as connection:
        return float(connection.execute(text(query), {"batch": batch}).scalar_one())


def _seconds(engine: Engine, batch: int) -> float:
    """Return the seconds from the submission of a batch to its last answer."""
    query = (
        "SELECT created_at, (SELECT max(done_at) FROM chunk WHERE batch_id = batch.id)"
        " FROM batch WHERE id = :batch"
    )
    with read(engine) as connection:
        began, ended = connection.execute(text(query), {"batch": batch}).one()
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()


def _peak(url: str) -> float:
    """Return the memory that Redis has used at most, in MB."""
    with closing(Redis.from_url(url)) as client:
        return int(client.info("memory")["used_memory_peak"]) / 1e6

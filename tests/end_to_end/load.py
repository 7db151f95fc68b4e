"""A batch that is solved while faults happen, and the check that it ends complete."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice

import redis
from sqlalchemy import NullPool, create_engine, text

from storage.location import database_url
from tests.end_to_end.bullseye import Bullseye, eventually
from tests.sudoku import grids, is_solution
from worker.queue.carrier import Carrier
from worker.queue.message import WorkerInfo

#: settings with which lost chunks are published again after seconds instead of a minute
QUICK = {"BULLSEYE_LEASE": "3", "BULLSEYE_RENEWAL": "1", "BULLSEYE_SWEEP": "0.5"}


@dataclass
class Load:
    """A submitted batch and its puzzles."""

    bullseye: Bullseye
    batch: str
    puzzles: list[str]

    def answered(self) -> int:
        count = "SELECT count(*) FROM answers WHERE batch = :batch"
        return int(str(execute(self.bullseye, count, batch=int(self.batch))[0][0]))

    def complete(self) -> bool:
        left = "SELECT count(*) FROM chunk WHERE batch_id = :batch AND state <> 'done'"
        return execute(self.bullseye, left, batch=int(self.batch)) == [(0,)]

    def await_progress(self) -> None:
        """Wait until there are more answers than at the call, or the batch is complete."""
        before = self.answered()
        eventually(lambda: self.answered() > before or self.complete())

    def assert_complete(self, seconds: float = 60.0, *, except_for: str | None = None) -> None:
        """Wait for the end of the batch, and check that each puzzle has one answer, a correct one.

        `except_for` is a puzzle whose answer may have another status than `solved`.
        """
        eventually(self.complete, seconds)
        lines = self.bullseye.out("results", self.batch).splitlines()
        found = [json.loads(line) for line in lines]
        assert [answer["puzzle"] for answer in found] == self.puzzles
        assert [answer["position"] for answer in found] == list(range(1, len(found) + 1))
        checked = [answer for answer in found if answer["puzzle"] != except_for]
        unsolved = [answer for answer in checked if answer["status"] != "solved"]
        assert not unsolved, unsolved
        assert all(is_solution(answer["puzzle"], answer["solution"]) for answer in checked)


def assert_sound(bullseye: Bullseye) -> None:
    """Check that each puzzle has one place, and that summaries and hashes equal a scan."""
    assert "ok    integrity each of " in bullseye.run("doctor", "--deep").stdout


def submit(bullseye: Bullseye, seed: int, puzzles: int) -> Load:
    """Submit a batch in small chunks: a search for all solutions is expected to take long."""
    made = list(islice(grids(seed, 28), puzzles))
    batch = bullseye.out("submit", "--limit", "all", "-", stdin="\n".join(made)).strip()
    return Load(bullseye, batch, made)


def publish_all(bullseye: Bullseye) -> None:
    """Publish all chunks: what a hundred processes need, with those of one more puzzle."""
    with closing(Carrier.connect(bullseye.redis_url, queue(bullseye))) as carrier:
        carrier.beat("worker@host", WorkerInfo(processes=100))
    submit(bullseye, 44, 1)
    assert execute(bullseye, "SELECT count(*) FROM chunk WHERE state = 'new'") == [(0,)]


def execute(bullseye: Bullseye, sql: str, **values: object) -> list[tuple[object, ...]]:
    """Execute a statement without Bullseye's own code, and return its rows."""
    engine = create_engine(database_url(bullseye.env["BULLSEYE_DATABASE_URL"]), poolclass=NullPool)
    with engine.begin() as connection:
        found = connection.execute(text(sql), values)
        return [tuple(row) for row in found] if found.returns_rows else []


@contextmanager
def client(bullseye: Bullseye) -> Iterator[redis.Redis]:
    """Connect to Redis without Bullseye's own code."""
    with closing(redis.Redis.from_url(bullseye.redis_url)) as connection:
        yield connection


def queue(bullseye: Bullseye) -> str:
    """Return the name of the queue of the installation's database."""
    return str(execute(bullseye, "SELECT DISTINCT queue FROM batch")[0][0])


def messages(bullseye: Bullseye) -> list[str]:
    """Return the messages that wait in the queue, in the order of their delivery."""
    with closing(Carrier.connect(bullseye.redis_url, queue(bullseye))) as carrier:
        lists = [carrier.client.lrange(name, 0, -1) for name in carrier.lists]
        return [str(line) for lines in lists for line in reversed(lines)]


def puzzle_keys(bullseye: Bullseye) -> list[str]:
    """Return the Redis keys of the puzzles of all chunks."""
    name = queue(bullseye)
    return [f"{name}:chunk:{id_}" for (id_,) in execute(bullseye, "SELECT id FROM chunk")]

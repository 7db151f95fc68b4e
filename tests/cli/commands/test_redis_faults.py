"""What the commands say of workers while Redis is full or frozen: never that there are none."""

import os
import signal
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from storage.database import database_id, read
from tests.cli.conftest import EASY, Bullseye, Database
from tests.services import redis_program
from worker.local.backend import private_redis
from worker.local.process_group import process_group
from worker.queue.carrier import Carrier
from worker.queue.message import WorkerInfo

pytestmark = pytest.mark.attack


@pytest.fixture
def carrier(database: Database, monkeypatch: pytest.MonkeyPatch) -> Iterator[Carrier]:
    """The queue of the database in a Redis of its own, whose workers have not been heard of."""
    with read(database.engine) as connection:
        queue = f"bullseye-{database_id(connection)}"
    with process_group() as ours, private_redis(ours, redis_program()) as url:
        monkeypatch.setenv("BULLSEYE_REDIS_URL", url)
        with closing(Carrier.connect(url, queue)) as connected:
            yield connected


@contextmanager
def full(carrier: Carrier) -> Iterator[None]:
    carrier.client.config_set("maxmemory", 1)
    yield
    carrier.client.config_set("maxmemory", 0)


@contextmanager
def frozen(carrier: Carrier) -> Iterator[None]:
    server = int(carrier.client.info()["process_id"])
    os.kill(server, signal.SIGSTOP)
    yield
    os.kill(server, signal.SIGCONT)


def test_with_a_full_redis_every_command_says_so(
    bullseye: Bullseye, carrier: Carrier, home: Path
) -> None:
    (home / "puzzles.txt").write_text(f"{EASY}\n")
    with full(carrier):
        progress = bullseye("status").out.splitlines()
        listed, checked = bullseye("workers"), bullseye("doctor")
        submitted = bullseye("submit", "puzzles.txt")
    absent, state = listed.out.splitlines()
    assert absent.startswith("no worker is known: Redis at ")
    assert "is full" in absent
    assert "is full" in state
    assert progress[-1] == state
    assert checked.code == 69
    assert "is full" in next(line for line in checked.out.splitlines() if line.startswith("fail"))
    assert "none is running" not in checked.out
    assert submitted.code == 0
    assert "is full" in submitted.err
    assert "no worker is running" not in submitted.err


def test_with_a_full_redis_workers_that_were_heard_of_are_listed(
    bullseye: Bullseye, carrier: Carrier
) -> None:
    carrier.beat("box-1", WorkerInfo())
    with full(carrier):
        *_, worker, state = bullseye("workers").out.splitlines()
        checked = bullseye("doctor")
    assert worker.split()[:2] == ["box-1", "idle"]
    assert "is full" in state
    assert "box-1" in checked.out
    assert checked.code == 69


def test_a_redis_that_does_not_answer_hides_workers_and_is_named(
    bullseye: Bullseye, carrier: Carrier, home: Path
) -> None:
    (home / "puzzles.txt").write_text(f"{EASY}\n")
    with frozen(carrier):
        listed, submitted = bullseye("workers"), bullseye("submit", "puzzles.txt")
        checked = bullseye("doctor")
    absent, state = listed.out.splitlines()
    assert absent.startswith("no worker is known: cannot reach Redis at ")
    assert state == "redis: not reachable"
    assert "cannot reach Redis" in submitted.err
    assert "no worker is running" not in submitted.err
    assert checked.code == 69


def test_asking_whether_redis_takes_writes_writes_nothing(carrier: Carrier) -> None:
    before = carrier.client.dbsize()
    carrier.require_writes()
    assert carrier.client.dbsize() == before

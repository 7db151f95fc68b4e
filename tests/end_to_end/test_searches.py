"""One search on many processes, which die: its totals are those of an undivided search."""

import os
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from storage.values import Kind
from tests.end_to_end.bullseye import Bullseye, eventually, kill
from tests.end_to_end.faulty_redis import FaultyRedis
from tests.end_to_end.load import QUICK, client, execute
from tests.processes import children
from tests.worker.attempt.crew import queens
from worker.local.process_group import ProcessGroup
from worker.options import Options
from worker.solve import search

#: settings with which a search of a second is divided a hundred times
SHORT_TURNS = QUICK | {"BULLSEYE_BUDGET": "0.02", "BULLSEYE_TURN": "0.02"}
EVERY = Options(limit=None, timeout=600.0)


@cache
def undivided(side: int) -> tuple[int | None, int]:
    """The number of ways to place `side` queens, and the nodes of a search for all of them."""
    slices = search(Kind.COVER, [queens(side)], EVERY)
    ((found,),) = ([*outcomes.rows()] for outcomes in slices if outcomes.ns)
    return found.solutions, found.nodes


@dataclass
class Searching:
    """An installation with a batch of one search."""

    bullseye: Bullseye
    side: int

    def submit(self, timeout: float = 600.0) -> str:
        options = ("--limit", "all", "--timeout", f"{timeout:g}")
        return self.bullseye.out("submit", *options, "-", stdin=queens(self.side)).strip()

    def nodes(self) -> int:
        """Return the nodes of the search so far; 0 before it is divided."""
        return int(str(execute(self.bullseye, "SELECT coalesce(sum(nodes), 0) FROM search")[0][0]))

    def ended(self) -> bool:
        return execute(self.bullseye, "SELECT count(*) FROM answers") == [(1,)]

    def await_progress(self) -> None:
        before = self.nodes()
        eventually(lambda: self.nodes() > before or self.ended())

    def assert_complete(self, seconds: float = 60.0) -> None:
        """Wait for the answer, and compare it with that of an undivided search."""
        eventually(self.ended, seconds)
        found = execute(self.bullseye, "SELECT status, complete, solutions, nodes FROM answers")
        assert found == [("solved", 1, *undivided(self.side))]
        parts = "SELECT count(*), count(*) - count(ended_at) FROM part"
        ((made, left),) = execute(self.bullseye, parts)
        assert int(str(made)) > 10
        assert left == 0


@pytest.fixture
def searching(bullseye: Bullseye) -> Searching:
    bullseye.settings |= SHORT_TURNS
    return Searching(bullseye, 14)


def test_a_search_survives_its_processes_its_workers_and_redis(searching: Searching) -> None:
    bullseye = searching.bullseye
    with bullseye.worker(1) as first, bullseye.worker(1) as second:
        eventually(lambda: bullseye.live_workers() == 2)
        searching.submit()
        searching.await_progress()
        os.kill(children(first.pid)[0], signal.SIGKILL)
        searching.await_progress()
        with client(bullseye) as redis:
            redis.flushall()
        searching.await_progress()
        kill(second)
        searching.await_progress()
        searching.assert_complete()


def test_a_search_that_timed_out_or_was_cancelled_goes_on_after_a_retry(
    searching: Searching,
) -> None:
    bullseye = searching.bullseye
    with bullseye.worker(2):
        batch = searching.submit(timeout=0.1)
        eventually(searching.ended)
        assert execute(bullseye, "SELECT status FROM answers") == [("timeout",)]
        before = searching.nodes()
        bullseye.out("retry", batch, "--timeout", "600")
        searching.await_progress()
        bullseye.out("cancel", batch)
        assert searching.nodes() > before
        bullseye.out("retry", batch)
        searching.assert_complete()


class Faults:
    """Two workers, Redis and a database, and what happens to them during a search."""

    def __init__(self, bullseye: Bullseye, redis: FaultyRedis, stack: ExitStack) -> None:
        self.bullseye, self.redis, self.stack = bullseye, redis, stack
        self.chance = random.Random(16)
        self.workers = [self._start() for _ in range(2)]
        self.all: list[Callable[[], None]] = [
            self.kill_a_process,
            self.kill_a_worker,
            self.terminate_a_worker,
            self.freeze_a_process,
            self.freeze_a_worker,
            self.flush_redis,
            self.replace_redis,
            self.lock_the_database,
        ]

    def kill_a_process(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self._process(), signal.SIGKILL)

    def kill_a_worker(self) -> None:
        kill(self.workers.pop(0))
        self.workers.append(self._start())

    def terminate_a_worker(self) -> None:
        self.workers[0].send_signal(signal.SIGTERM)
        self.workers.pop(0).wait(30)
        self.workers.append(self._start())

    def freeze_a_process(self) -> None:
        process = self._process()
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGSTOP)
            time.sleep(5)  # its lease expires after 3 s
            os.kill(process, signal.SIGCONT)

    def freeze_a_worker(self) -> None:
        os.killpg(self.workers[0].pid, signal.SIGSTOP)
        time.sleep(5)  # as above
        os.killpg(self.workers[0].pid, signal.SIGCONT)

    def flush_redis(self) -> None:
        with client(self.bullseye) as redis:
            redis.flushall()

    def replace_redis(self) -> None:
        with self.redis.replaced():
            time.sleep(1)  # the fault itself

    def lock_the_database(self) -> None:
        with closing(sqlite3.connect(self.bullseye.database, timeout=30)) as lock:
            lock.execute("BEGIN IMMEDIATE")
            time.sleep(5)  # the fault itself
            lock.rollback()

    def _start(self) -> subprocess.Popen[bytes]:
        return self.stack.enter_context(self.bullseye.worker(2))

    def _process(self) -> int:
        """A pool process of the worker that was started first."""
        eventually(lambda: bool(children(self.workers[0].pid)))
        return self.chance.choice(children(self.workers[0].pid))


@pytest.fixture
def faulty(home: ProcessGroup, redis_program: Path) -> Iterator[FaultyRedis]:
    with closing(FaultyRedis(home, redis_program)) as server:
        yield server


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_any_faults_leave_the_totals_of_a_search_exact(tmp_path: Path, faulty: FaultyRedis) -> None:
    """Faults in random order, each while the search makes progress; prints how many there were."""
    bullseye, happened = Bullseye(tmp_path, faulty.url, {**SHORT_TURNS}), list[str]()
    searching = Searching(bullseye, 16)
    with ExitStack() as stack:
        faults = Faults(bullseye, faulty, stack)
        searching.submit(timeout=1800)
        searching.await_progress()
        while not searching.ended():
            for fault in faults.chance.sample(faults.all, len(faults.all)):
                fault()
                happened.append(fault.__name__)
                searching.await_progress()
        searching.assert_complete()
    print({fault.__name__: happened.count(fault.__name__) for fault in faults.all})  # noqa: T201


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_the_part_of_a_killed_process_is_given_back_whichever_worker_gets_its_message(
    bullseye: Bullseye,
) -> None:
    bullseye.settings["BULLSEYE_BUDGET"] = "0.1"
    searching = Searching(bullseye, 16)

    def taken(worker: subprocess.Popen[bytes]) -> list[tuple[object, ...]]:
        """The parts under lease of a worker: id, turns and attempts."""
        of_parts = "SELECT id, turns, attempts FROM chunk JOIN part ON part.chunk_id = chunk.id"
        name = f"bullseye-{worker.pid}@%"
        return execute(
            bullseye, f"{of_parts} WHERE state = 'taken' AND worker LIKE :name", name=name
        )

    def kill_its_process(worker: subprocess.Popen[bytes]) -> None:
        eventually(lambda: bool(taken(worker)) and bool(children(worker.pid)))
        before = set(taken(worker))
        os.kill(children(worker.pid)[0], signal.SIGKILL)
        eventually(lambda: before.isdisjoint(taken(worker)), 10)  # its lease lasts 60 s

    with bullseye.worker(1) as first, bullseye.worker(1):
        searching.submit()
        for _ in range(5):
            searching.await_progress()
            kill_its_process(first)
        searching.assert_complete(300)


@pytest.mark.soak
@pytest.mark.timeout(600)
def test_a_worker_that_was_frozen_for_90_s_stores_nothing_of_a_part_that_was_overtaken(
    bullseye: Bullseye,
) -> None:
    # A watchdog would end the process, which is to try to store its turn.
    bullseye.settings |= SHORT_TURNS | {"BULLSEYE_SILENCE": "300"}
    searching = Searching(bullseye, 16)
    with bullseye.worker(1, "--", "-l", "info") as frozen:
        searching.submit()
        searching.await_progress()
        eventually(lambda: freeze_in_a_turn(bullseye, frozen))
        with bullseye.worker(1):
            searching.await_progress()
            time.sleep(90)  # the fault itself
            os.killpg(frozen.pid, signal.SIGCONT)
            eventually(lambda: "end=overtaken" in bullseye.logs())
            searching.assert_complete(300)


def freeze_in_a_turn(bullseye: Bullseye, worker: subprocess.Popen[bytes]) -> bool:
    """Freeze a worker if it has leased a part and holds no lock on the database."""
    os.killpg(worker.pid, signal.SIGSTOP)
    leased = "SELECT count(*) FROM chunk WHERE state = 'taken' AND count = 0"
    with (
        suppress(sqlite3.OperationalError),  # it holds the lock
        closing(sqlite3.connect(bullseye.database, timeout=1)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        if other.execute(leased).fetchone() == (1,):
            return True
    os.killpg(worker.pid, signal.SIGCONT)
    return False

"""One search on many processes, which die: its totals are those of an undivided search."""

import os
import random
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass

import pytest

from storage.values import Kind
from tests.end_to_end.bullseye import Bullseye, eventually, kill
from tests.end_to_end.load import QUICK, children, client, execute
from tests.worker.queue.solving.crew import queens
from worker.options import Options
from worker.solve import search

#: settings with which a search of a second is divided a hundred times
SHORT_TURNS = QUICK | {"BULLSEYE_BUDGET": "0.02", "BULLSEYE_TURN": "0.02"}
EVERY = Options(limit=None, timeout=600.0)


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
        ((expected,),) = (
            [*outcomes.rows()]
            for outcomes in search(Kind.COVER, [queens(self.side)], EVERY)
            if outcomes.ns
        )
        found = execute(self.bullseye, "SELECT status, complete, solutions, nodes FROM answers")
        assert found == [("solved", 1, expected.solutions, expected.nodes)]
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
        os.kill(children(first)[0], signal.SIGKILL)
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
        batch = searching.submit(timeout=0.3)
        eventually(searching.ended)
        assert execute(bullseye, "SELECT status FROM answers") == [("timeout",)]
        before = searching.nodes()
        bullseye.out("retry", batch, "--timeout", "600")
        searching.await_progress()
        bullseye.out("cancel", batch)
        assert searching.nodes() > before
        bullseye.out("retry", batch)
        searching.assert_complete()


@contextmanager
def locked(bullseye: Bullseye) -> Iterator[None]:
    """Lock the database for the block."""
    with closing(sqlite3.connect(bullseye.database, timeout=30)) as lock:
        lock.execute("BEGIN IMMEDIATE")
        yield
        lock.rollback()


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_any_faults_leave_the_totals_of_a_search_exact(bullseye: Bullseye) -> None:
    """Faults in random order, each while the search makes progress; prints how many there were."""
    bullseye.settings |= SHORT_TURNS
    searching, chance, happened = Searching(bullseye, 16), random.Random(16), list[str]()
    with ExitStack() as stack:
        workers = [stack.enter_context(bullseye.worker(2)) for _ in range(2)]

        def kill_a_process() -> None:
            os.kill(chance.choice(children(workers[0])), signal.SIGKILL)

        def kill_a_worker() -> None:
            kill(workers.pop(0))
            workers.append(stack.enter_context(bullseye.worker(2)))

        def terminate_a_worker() -> None:
            workers[0].send_signal(signal.SIGTERM)
            workers.pop(0).wait(30)
            workers.append(stack.enter_context(bullseye.worker(2)))

        def flush_redis() -> None:
            with client(bullseye) as redis:
                redis.flushall()

        def lock_the_database() -> None:
            with locked(bullseye):
                time.sleep(2)

        def freeze_a_process() -> None:
            frozen = chance.choice(children(workers[0]))
            os.kill(frozen, signal.SIGSTOP)
            time.sleep(5)  # its lease expires after 3 s
            os.kill(frozen, signal.SIGCONT)

        faults: list[Callable[[], None]] = [
            kill_a_process,
            kill_a_worker,
            terminate_a_worker,
            flush_redis,
            lock_the_database,
            freeze_a_process,
        ]
        searching.submit(timeout=1800)
        searching.await_progress()
        while not searching.ended():
            fault = chance.choice(faults)
            with suppress(ProcessLookupError, IndexError):
                fault()
            happened.append(fault.__name__)
            searching.await_progress()
        searching.assert_complete()
    print({fault.__name__: happened.count(fault.__name__) for fault in faults})  # noqa: T201

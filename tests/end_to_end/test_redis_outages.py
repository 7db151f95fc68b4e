"""Workers that go through outages of Redis, and are not restarted."""

import os
import random
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from redis import Redis

from tests import services
from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.faulty_redis import FaultyRedis
from tests.end_to_end.load import QUICK, submit
from worker.local.process_group import ProcessGroup

FAULTS = ("full", "refusing", "frozen", "replaced", "cutting")
#: seconds within which the workers answer a small batch after a fault
ANSWERED_SECONDS = 10.0
#: more than that where other tests take the processors
BUSY_SECONDS = 40.0


@pytest.fixture
def faulty(home: ProcessGroup, redis_program: Path) -> Iterator[FaultyRedis]:
    server = FaultyRedis(home, redis_program)
    yield server
    server.close()


def go_through(
    bullseye: Bullseye, faulty: FaultyRedis, plan: Sequence[tuple[str, float]], seconds: float
) -> None:
    """Cause faults for some seconds each; after each a small batch is answered within `seconds`."""
    bullseye.settings |= QUICK
    with bullseye.worker(2) as one, bullseye.worker(1) as another:
        load = submit(bullseye, 40, 3000)
        eventually(lambda: load.answered() > 0)
        for seed, (fault, length) in enumerate(plan):
            with getattr(faulty, fault)():
                time.sleep(length)  # the fault itself
            small = submit(bullseye, seed, 10)
            eventually(small.complete, seconds)
        load.assert_complete()
        assert one.poll() is another.poll() is None, "a worker has ended"
    logged = bullseye.logs()
    assert "Traceback" not in logged
    assert logged.count("lost Redis at") <= 2 * len(plan)
    assert logged.count("answers again after") <= logged.count("lost Redis at")


@pytest.mark.soak
@pytest.mark.attack
def test_the_same_workers_go_on_after_each_fault_of_redis(
    tmp_path: Path, faulty: FaultyRedis
) -> None:
    go_through(Bullseye(tmp_path, faulty.url), faulty, [(one, 1.0) for one in FAULTS], BUSY_SECONDS)


@pytest.mark.soak
@pytest.mark.timeout(1000)
@pytest.mark.parametrize(("fault", "length"), [("full", 300), ("frozen", 60), ("refusing", 60)])
def test_the_same_workers_go_on_after_a_long_fault_of_redis(
    tmp_path: Path, faulty: FaultyRedis, fault: str, length: int
) -> None:
    go_through(Bullseye(tmp_path, faulty.url), faulty, [(fault, length)], ANSWERED_SECONDS)


@pytest.mark.attack
@pytest.mark.soak
def test_a_worker_without_work_reports_a_frozen_redis_and_outlives_it(
    tmp_path: Path, home: ProcessGroup, redis_program: Path
) -> None:
    # By TCP: a Unix socket that is not read refuses connections soon.
    with services.redis_server(redis_program, home, "127.0.0.1") as url:
        bullseye = Bullseye(tmp_path, url, {"BULLSEYE_SILENCE": "15"})
        with closing(Redis.from_url(url)) as client, bullseye.worker() as worker:
            server = int(client.info()["process_id"])
            eventually(lambda: "is ready" in bullseye.logs())
            time.sleep(6.0)  # until its event loop has nothing but timers
            os.kill(server, signal.SIGSTOP)
            eventually(lambda: "lost Redis at" in bullseye.logs())
            time.sleep(60.0)  # the fault itself: longer than its main process may hang
            os.kill(server, signal.SIGCONT)
            eventually(lambda: "answers again after" in bullseye.logs())
            assert worker.poll() is None
    _ready, *logged = bullseye.logs().splitlines()
    assert len(logged) == 2


@pytest.mark.soak
@pytest.mark.timeout(10_000)
def test_the_same_workers_go_on_after_500_faults_of_redis(
    tmp_path: Path, faulty: FaultyRedis
) -> None:
    chance = random.Random(1)
    plan = [(chance.choice(FAULTS), chance.choice((0.1, 1.0, 3.0, 9.0))) for _ in range(500)]
    go_through(Bullseye(tmp_path, faulty.url), faulty, plan, ANSWERED_SECONDS)

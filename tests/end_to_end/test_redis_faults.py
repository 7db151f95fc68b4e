"""A Redis that is killed, flushed, stopped, full, or drops connections."""

import os
import signal
from pathlib import Path

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import QUICK, Load, client, submit
from worker.local.backend import private_redis
from worker.local.process_group import ProcessGroup


def partly_solved(bullseye: Bullseye, seed: int, puzzles: int = 3000) -> Load:
    load = submit(bullseye, seed, puzzles)
    eventually(lambda: load.answered() > 0)
    assert not load.complete()
    return load


def test_a_redis_that_restarts_empty_loses_nothing(
    bullseye: Bullseye, home: ProcessGroup, redis_program: Path
) -> None:
    bullseye.settings |= QUICK
    with client(bullseye) as redis:
        server = int(redis.info()["process_id"])
    with bullseye.worker(2):
        load = partly_solved(bullseye, 31)
        os.kill(server, signal.SIGKILL)
        with private_redis(home, redis_program):
            load.assert_complete()


def test_a_flushed_redis_loses_nothing(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    with bullseye.worker(2), client(bullseye) as redis:
        load = partly_solved(bullseye, 32)
        redis.flushall()
        load.assert_complete()


def test_dropped_connections_lose_nothing(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    with bullseye.worker(2), client(bullseye) as redis:
        load = partly_solved(bullseye, 33)
        for kind in ("normal", "pubsub"):
            redis.client_kill_filter(_type=kind, skipme=True)
        load.assert_complete()


def test_a_redis_that_is_full_during_submit_loses_nothing(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    with client(bullseye) as redis:
        redis.config_set("maxmemory", "1")
        load = submit(bullseye, 35, 500)
        redis.config_set("maxmemory", "0")
    with bullseye.worker():
        load.assert_complete()

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from billiard import current_process

from worker.queue import pool


def test_an_idle_pool_is_not_waited_for() -> None:
    began = time.monotonic()
    pool.await_idle(600)
    assert time.monotonic() - began < 100


def test_a_busy_process_is_waited_for_until_the_timeout() -> None:
    with pool.working(1):
        pool.await_idle(0.05)
        assert pool.busy() == 1
    assert pool.busy() == 0


@contextmanager
def pool_process(index: int, chunk_id: int) -> Iterator[int]:
    """Fork a process that solves a chunk as number `index` of a pool; yield its process id."""
    begun, begin = os.pipe()
    child = os.fork()
    if child == 0:
        current_process().index = index
        with pool.working(chunk_id):
            os.write(begin, b".")
            signal.pause()
    os.read(begun, 1)
    try:
        yield child
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(begin)
        os.close(begun)


def test_a_chunk_is_solved_by_another_process_while_that_lives() -> None:
    with pool_process(1, 7), pool.working(8):
        assert pool.busy() == 2
        assert pool.is_solved_by_another(7)
        assert not pool.is_solved_by_another(8)
    assert pool.busy() == 1  # a killed process does not clear its slot
    assert not pool.is_solved_by_another(7)
    pool.reset()
    assert pool.busy() == 0

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from billiard import current_process

from worker.queue import shutdown


def test_a_signal_is_handled_at_the_end_of_the_block() -> None:
    events: list[str] = []
    before = signal.signal(signal.SIGTERM, lambda *_: events.append("signal"))
    try:
        with shutdown.signals_deferred():
            os.kill(os.getpid(), signal.SIGTERM)
            events.append("end of the block")
        assert events == ["end of the block", "signal"]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_thread_may_defer_signals_without_effect() -> None:
    done: list[bool] = []

    def run() -> None:
        with shutdown.signals_deferred():
            done.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done == [True]


def test_an_idle_pool_is_not_waited_for() -> None:
    assert shutdown.await_idle(0.0)


def test_a_busy_process_is_waited_for_until_the_timeout() -> None:
    with shutdown.working(1):
        assert not shutdown.await_idle(0.05)
    assert shutdown.await_idle(0.0)


def test_flags_of_a_forked_process_are_seen_by_its_parent() -> None:
    child = os.fork()
    if child == 0:
        shutdown.begin()
        os._exit(0)
    os.waitpid(child, 0)
    assert shutdown.begun()
    shutdown.reset()
    assert not shutdown.begun()


@contextmanager
def pool_process(index: int, chunk_id: int) -> Iterator[int]:
    """Fork a process that solves a chunk as number `index` of a pool; yield its process id."""
    begun, begin = os.pipe()
    child = os.fork()
    if child == 0:
        current_process().index = index
        with shutdown.working(chunk_id):
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
    with pool_process(1, 7), shutdown.working(8):
        assert shutdown.busy() == 2
        assert shutdown.is_solved_by_another(7)
        assert not shutdown.is_solved_by_another(8)
    assert shutdown.busy() == 1  # a killed process does not clear its slot
    assert not shutdown.is_solved_by_another(7)
    shutdown.reset()
    assert shutdown.busy() == 0

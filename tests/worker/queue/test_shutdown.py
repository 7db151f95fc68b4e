import os
import signal
import threading

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
    with shutdown.working():
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

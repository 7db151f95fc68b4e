import os
import signal

from worker.queue import shutdown


def test_a_signal_waits_for_the_end_of_what_must_not_be_disturbed() -> None:
    seen: list[str] = []
    before = signal.signal(signal.SIGTERM, lambda *_: seen.append("signal"))
    try:
        with shutdown.signals_deferred():
            os.kill(os.getpid(), signal.SIGTERM)
            seen.append("done")
        assert seen == ["done", "signal"]
    finally:
        signal.signal(signal.SIGTERM, before)


def test_nobody_is_waited_for_where_nobody_works() -> None:
    assert shutdown.await_idle(0.0)


def test_whoever_works_is_waited_for_but_not_for_ever() -> None:
    with shutdown.working():
        assert not shutdown.await_idle(0.05)
    assert shutdown.await_idle(0.0)

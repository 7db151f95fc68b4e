import os
import signal

from storage import signals
from worker import outages
from worker.queue import pool


def test_a_signal_is_handled_after_a_transaction_and_the_shutdown_begins_at_once() -> None:
    events: list[str] = []
    signal.signal(signal.SIGTERM, lambda *_: events.append("signal"))
    pool.defer(signal.SIGTERM)
    with signals.deferred():
        os.kill(os.getpid(), signal.SIGTERM)
        assert outages.is_ending()
        events.append("end of the transaction")
    assert events == ["end of the transaction", "signal"]


def test_flags_of_a_forked_process_are_seen_by_its_parent() -> None:
    child = os.fork()
    if child == 0:
        outages.set_ending(True)
        os._exit(0)
    os.waitpid(child, 0)
    assert outages.is_ending()
    pool.reset()
    assert not outages.is_ending()

"""The shutdown of a worker, which ends within END_SECONDS, whatever it waits for.

Celery notifies only the main process of a shutdown.  Here the main process sets a flag; a pool
process reads it between two slices of a search, stores the answers it has and gives the rest of
its chunk back.
"""

import logging
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

from celery.apps.worker import Worker
from celery.platforms import EX_FAILURE, SecurityWarning

from storage import signals
from worker import outages
from worker.queue import logs, pool

#: signals that end a worker
SHUTDOWN_SIGNALS = (signal.SIGTERM, signal.SIGQUIT, signal.SIGINT)
#: seconds within which a worker ends after a signal
END_SECONDS = 14.5
#: seconds after a soft shutdown in which the idle processes of the pool end
POOL_END_SECONDS = 3.0
#: seconds after a soft shutdown in which the main process ends
EXIT_SECONDS = 4.5

logger = logging.getLogger(__name__)
_timers: list[threading.Timer] = []


def reset() -> None:
    """Forget the last worker's shutdown and pool; to be called before the pool is forked."""
    outages.set_ending(False)
    while _timers:
        _timers.pop().cancel()
    pool.reset()


def begin(**_: object) -> None:
    """Begin, in the main process, the shutdown of a worker that ends within END_SECONDS."""
    if not outages.is_ending():
        outages.set_ending(True)
        after(END_SECONDS, end_by_force)


def after(seconds: float, action: Callable[[], None]) -> None:
    """Call `action` after `seconds`, if this process lives then; no process may be forked."""
    timer = threading.Timer(seconds, action)
    timer.daemon = True
    _timers.append(timer)
    timer.start()


def end_by_force() -> None:
    """End this process and its pool at once, as one that was told to end."""
    pool.kill()
    logger.warning("the worker ends by force: Redis or the database did not answer in time")
    logging.shutdown()
    os._exit(os.EX_OK)


def defer(number: signal.Signals) -> None:
    """Let the handler of a signal run after a transaction, not inside it.

    Celery waits for its pool inside a signal handler.  If the main process held the database's
    write lock at that moment, the pool would wait for the lock and the handler for the pool.
    """
    handler = signal.getsignal(number)
    if not callable(handler):
        return

    def handle(number: int, frame: FrameType | None) -> None:
        begin()
        signals.call(partial(handler, number, frame))

    signal.signal(number, handle)


class SoftShutdownWorker(Worker):  # type: ignore[misc] # celery ships no types
    """A Celery worker whose soft shutdown ends as soon as its pool is idle.

    Celery's own method sleeps for the whole `worker_soft_shutdown_timeout` if a task runs when the
    shutdown begins.  No bootstep can shorten it: Celery calls it before it stops the first step.
    """

    def on_before_init(self, **options: Any) -> None:
        """Do what Celery does, without its warning of a worker that root runs.

        It warns of messages that execute code.  Here they are JSON and made anew from their ids.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)
            super().on_before_init(**options)
        vars(sys)["__stdout__"] = None  # where Celery writes lines about signals, without time

    def install_platform_tweaks(self, worker: Worker) -> None:
        """Install Celery's handlers of signals, so that they run between two transactions."""
        super().install_platform_tweaks(worker)
        for number in SHUTDOWN_SIGNALS:
            defer(number)

    def start(self) -> None:
        """Run until the worker ends; raises SystemExit unless it was told to end.

        Celery itself drops the exit code of a worker that is not started by its own command.
        """
        super().start()
        was_told = outages.is_ending() and self.exitcode == EX_FAILURE  # Celery's after Ctrl-C
        if self.exitcode and not was_told:
            raise SystemExit(self.exitcode)

    def wait_for_soft_shutdown(self) -> None:
        """Ask the pool to give its chunks back, and wait until it has.

        Celery calls this in a signal handler, which may have interrupted it in the middle of a
        message to a pool process.  That process then waits for the rest of the message, and Celery
        for the process; so a pool that has not ended after POOL_END_SECONDS is killed.  Celery also
        waits for Redis, several times, so the process ends by force after EXIT_SECONDS.
        """
        begin()
        began, busy = time.monotonic(), pool.busy()
        pool.await_idle(self.app.conf.worker_soft_shutdown_timeout)
        left, seconds = pool.busy(), time.monotonic() - began
        if left:
            held = f"{left} of {busy} chunks stay taken until their leases expire"
        else:
            held = f"{busy} {'chunk was' if busy == 1 else 'chunks were'} stored or given back"
        logs.always.info("%s ends: %s in %.1f s", self.hostname, held, seconds)
        after(POOL_END_SECONDS, pool.kill)
        after(EXIT_SECONDS, end_by_force)

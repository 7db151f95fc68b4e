"""Waits for a batch until it is complete or cancelled; it only reads, from database and Redis."""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Engine

from storage.database import read
from storage.queries.progress import (
    LEAST_QUERY_SECONDS,
    QUERY_FRACTION,
    QUERY_SECONDS,
    ActiveLease,
    Progress,
    active_leases,
    read_progress,
)
from worker.errors import NoLiveWorker
from worker.outages import TRANSIENT_ERRORS
from worker.queue.carrier import Carrier
from worker.queue.message import WorkerInfo
from worker.settings import Settings

#: seconds without a live worker and without a new answer after which `Wait` gives up
PATIENCE_SECONDS = 60.0

logger = logging.getLogger(__name__)


class View(NamedTuple):
    """What is known of a batch that is waited for."""

    progress: Progress
    held: Sequence[ActiveLease]  #: the chunks that workers have
    alive: Sequence[str]  #: the live workers
    stalled: Sequence[str]  #: those of them that take no chunks


def is_over(progress: Progress) -> bool:
    """Return whether the batch is complete or cancelled."""
    complete = progress.batch.ready and progress.answered >= progress.batch.puzzles
    return bool(complete or progress.batch.cancelled_at)


def _ignore(_view: View) -> None:
    pass


@dataclass(slots=True)
class Wait:
    """Waits for one batch; `patience` is in seconds, None waits forever."""

    engine: Engine
    settings: Settings
    carrier: Carrier  #: of the batch's queue
    patience: float | None = PATIENCE_SECONDS
    show: Callable[[View], None] = _ignore  #: called after each query
    warn: Callable[[str], None] = logger.warning  #: called once if Redis or the database fails
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    #: when a live worker or a new answer was last seen, or the batch was paused
    _active_at: float = field(default=0.0, init=False)
    _answered: int = field(default=-1, init=False)
    _asked_at: float = field(default=0.0, init=False)
    _warned: bool = field(default=False, init=False)
    _alive: Mapping[str, WorkerInfo] = field(default_factory=dict, init=False)

    def until_over(self, batch_id: int) -> Progress:
        """Wait until the batch is over and return its last progress; may raise NoLiveWorker."""
        began = self._active_at = self._asked_at = self.clock()
        while True:
            try:
                view = self._view(batch_id)
                if is_over(view.progress):
                    return view.progress
                self.show(view)
                self._ask_for_workers()
            except TRANSIENT_ERRORS as error:
                self._warn_once(str(error))
            self._check_patience(batch_id)
            passed = self.clock() - began
            self.sleep(min(QUERY_SECONDS, max(LEAST_QUERY_SECONDS, QUERY_FRACTION * passed)))

    def _view(self, batch_id: int) -> View:
        with read(self.engine) as connection:
            progress = read_progress(connection, batch_id)
            held = active_leases(connection, self.carrier.queue)
        if progress.answered != self._answered or progress.batch.paused:
            self._answered, self._active_at = progress.answered, self.clock()
        stalled = [name for name, info in self._alive.items() if info.stalled]
        return View(progress, held, list(self._alive), stalled)

    def _ask_for_workers(self) -> None:
        now = self.clock()
        if now - self._asked_at >= self.settings.sweep:
            self._asked_at = now
            self._alive = {}  # unknown if Redis does not answer the next call
            self._alive = self.carrier.workers()
            if self._alive:
                self._active_at = now

    def _warn_once(self, text: str) -> None:
        if not self._warned:
            self.warn(text)
        self._warned = True

    def _check_patience(self, batch_id: int) -> None:
        if self.patience is not None and self.clock() - self._active_at > self.patience:
            raise NoLiveWorker(
                f"no live worker for {self.patience:.0f} s; the batch stays queued\n"
                f"start one: bullseye worker      then follow: bullseye status -w {batch_id}"
            )

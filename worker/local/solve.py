"""Solves a batch from beginning to end on this machine.

The batch is stored and solved like a submitted one, but through a private queue that only this
command serves: its own process until a worker is ready, which takes a second, then a backend.  A
small batch is usually solved by then: its worker is started only if it lasts.
"""

import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace

from sqlalchemy import Engine

from storage import batches
from storage.batches import Batch
from storage.database import open_database, read, write
from storage.errors import NoSuchBatch
from storage.outbox import publishing, removal
from storage.outbox.publishing import Chunk
from storage.queries.progress import is_finished
from storage.signals import check, deferred, interruptible
from storage.values import UpgradeProgress
from worker.errors import BatchLost
from worker.intake.spool import Spool
from worker.intake.submit import store
from worker.local.backend import Backend, start_backend
from worker.options import Options
from worker.outages import retrying
from worker.queue.notices import reporting
from worker.settings import Settings

#: seconds after which the worker is started; it takes a second, in which it slows this process down
START_SECONDS = 0.5
#: seconds after which this process solves no longer; by then the worker is usually ready
HANDOVER_SECONDS = 1.5
#: seconds after which it divides a search; the backend goes on with the parts, but would begin a
#: search that is not divided again
BUDGET_SECONDS = 1.0
#: seconds that the solver may run without returning control; it may be compiled first
SILENCE_SECONDS = 3600.0


def solve(
    backend: Backend,
    spool: Spool,
    options: Options,
    *,
    name: str | None,
    reuse: bool = False,
    watch: Callable[[Engine, Batch], None],
    upgrade: UpgradeProgress | None = None,
) -> Batch:
    """Store the spool as a batch, and return it when each of its puzzles has an answer.

    Until then `watch` is called several times a second, and `upgrade` while the tables of an
    earlier release are upgraded.  On any exception, KeyboardInterrupt included, the batch is
    cancelled and keeps the answers that are stored.  Raises BatchLost.
    """
    settings = backend.settings
    engine = open_database(settings.database_url, migrate=True, progress=upgrade)
    given = (engine, spool, options)
    try:
        with deferred():
            batch = store(*given, name=name, queue=settings.queue, reuse=reuse, private=True)
            _await(engine, batch, backend, watch)
    finally:
        engine.dispose()
    return batch


def _await(
    engine: Engine, batch: Batch, backend: Backend, watch: Callable[[Engine, Batch], None]
) -> None:
    try:
        with interruptible():
            while not retrying(lambda: _is_complete(engine, batch)):
                check()
                retrying(lambda: watch(engine, batch))
                backend.step(engine)
    except NoSuchBatch:
        raise BatchLost("deleted") from None
    finally:
        _leave(engine, batch)


def _leave(engine: Engine, batch: Batch) -> None:
    """Cancel a batch that is not complete, unless it was queued for the workers."""
    with write(engine) as connection:
        removal.disown(connection, batch.id)
        with suppress(NoSuchBatch):
            if batches.find(connection, batch.id).queue == batch.queue:
                batches.cancel(connection, batch.id)


def _is_complete(engine: Engine, batch: Batch) -> bool:
    """Return whether all puzzles have an answer; raise BatchLost if this command must end."""
    with read(engine) as connection:
        found = batches.find(connection, batch.id)
        if found.queue != batch.queue:
            raise BatchLost("left to the workers")
        if found.cancelled_at is not None:
            raise BatchLost("cancelled")
        return is_finished(connection, batch.id)


# --- in this process, then with a backend ---


@contextmanager
def start_in_process(
    settings: Settings,
    processes: int,
    notify: Callable[[str], None],
    backend: Backend | None = None,
) -> Iterator["InProcess"]:
    """Solve in this process at first, then with `backend`, or with one that is started if needed.

    `notify` is called with the reasons for which this process, or the backend, waits.
    """
    with ExitStack() as stack:
        stack.enter_context(reporting(notify))
        yield InProcess(
            settings,
            processes,
            lambda: stack.enter_context(start_backend(settings, processes, notify)),
            backend,
        )


@dataclass(slots=True)
class InProcess:
    """Solves the chunks of `settings.queue` in this process, then with a backend.

    The seconds of the handover count from the first slice of a search on: the solver is compiled
    before.
    """

    settings: Settings
    processes: int
    start: Callable[[], Backend]  #: starts what solves the rest, if there is no `backend`
    backend: Backend | None = None  #: what solves the rest, once it is started
    clock: Callable[[], float] = time.monotonic
    _began: float | None = field(default=None, init=False)

    def step(self, engine: Engine) -> None:
        """Solve a chunk in this process, or let the backend do its step."""
        if self._passed() <= HANDOVER_SECONDS and self._solve_next(engine):
            return
        self._started().step(engine)

    def _solve_next(self, engine: Engine) -> bool:
        """Solve the next chunk; return whether there was one."""
        queue, room = self.settings.queue, self.settings.room
        claimed = retrying(lambda: publishing.claim(engine, queue, room, most=1))
        for chunk in claimed:
            self._attempt(engine, chunk)
        return bool(claimed)

    def _attempt(self, engine: Engine, chunk: Chunk) -> None:
        # The kernel takes 0.2 s to import, and is not needed if all answers are reused.
        from worker.attempt.chunk import attempt  # noqa: PLC0415
        from worker.attempt.context import Context  # noqa: PLC0415

        budget = min(self.settings.budget, BUDGET_SECONDS)
        context = Context(
            engine,
            f"bullseye-{os.getpid()}@{socket.gethostname()}",
            replace(self.settings, silence=SILENCE_SECONDS, budget=budget),
            processes=lambda: self.processes,
            must_stop=self._must_stop,
        )
        attempt(context, chunk.id, chunk.puzzles)

    def _must_stop(self) -> bool:
        """Return whether this process solves no longer; start the backend before."""
        if self._began is None:
            self._began = self.clock()
        if self._passed() > START_SECONDS:
            self._started()
        return self._passed() > HANDOVER_SECONDS

    def _passed(self) -> float:
        return 0.0 if self._began is None else self.clock() - self._began

    def _started(self) -> Backend:
        self.backend = self.backend or self.start()
        return self.backend

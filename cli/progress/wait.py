"""Follows a batch until it is complete or cancelled; it only reads, from the database and Redis."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import click
from sqlalchemy import Engine

from cli.database import location
from cli.errors import Exit, NoLiveWorker
from cli.formatting import duration
from cli.output.answers import answers_of
from cli.progress.display import QUERY_SECONDS, ProgressDisplay
from cli.progress.summary import reused, tally_of
from cli.progress.workers import WorkerTable, format_workers
from cli.terminal import notify
from cli.verify.expect import report_expectation
from cli.verify.given_solutions import GivenSolutions
from storage.database import read
from storage.queries.progress import Progress, read_progress
from storage.queries.workers import ActiveLease, active_leases
from worker.queue.backoff import TRANSIENT_ERRORS
from worker.queue.carrier import Carrier
from worker.settings import Settings

#: seconds without a live worker and without a new answer after which `--wait` gives up
PATIENCE_SECONDS = 60.0


def is_over(progress: Progress) -> bool:
    """Return whether the batch is complete or cancelled."""
    complete = progress.batch.ready and progress.answered >= progress.batch.puzzles
    return bool(complete or progress.batch.cancelled_at)


@dataclass(slots=True)
class Wait:
    """Waits for one batch; `patience` is in seconds, None waits forever."""

    engine: Engine
    settings: Settings
    carrier: Carrier  #: of the batch's queue
    patience: float | None = PATIENCE_SECONDS
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    #: when a live worker or a new answer was last seen
    _active_at: float = field(default=0.0, init=False)
    _answered: int = field(default=-1, init=False)
    _asked_at: float = field(default=0.0, init=False)
    _warned: bool = field(default=False, init=False)
    _table: WorkerTable = field(init=False)
    _alive: list[str] = field(default_factory=list, init=False)
    _stalled: list[str] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self._table = WorkerTable(self.settings.renewal)

    def until_over(self, batch_id: int) -> Progress:
        """Show progress until the batch is over and return the last; may raise NoLiveWorker."""
        self._active_at = self._asked_at = self.clock()
        with ProgressDisplay(self.clock) as display:
            while True:
                try:
                    progress, held = self._query(batch_id)
                    if is_over(progress):
                        return progress
                    display.update(progress, self._lines(progress, held))
                    self._ask_for_workers()
                except TRANSIENT_ERRORS as error:
                    self._warn_once(str(error))
                self._check_patience(batch_id)
                self.sleep(QUERY_SECONDS)

    def _query(self, batch_id: int) -> tuple[Progress, list[ActiveLease]]:
        with read(self.engine) as connection:
            progress = read_progress(connection, batch_id)
            held = active_leases(connection, self.carrier.queue)
        if progress.answered != self._answered:
            self._answered, self._active_at = progress.answered, self.clock()
        return progress, held

    def _lines(self, progress: Progress, held: list[ActiveLease]) -> list[str]:
        workers = self._table.update(
            self.clock(), self._alive, progress.workers, held, self._stalled
        )
        return list(format_workers(workers, progress.batch.id))

    def _ask_for_workers(self) -> None:
        now = self.clock()
        if now - self._asked_at >= self.settings.sweep:
            self._asked_at = now
            self._alive = self._stalled = []  # unknown if Redis does not answer the next call
            self._alive = self.carrier.workers()
            self._stalled = self.carrier.stalled(self._alive)
            if self._alive:
                self._active_at = now

    def _warn_once(self, text: str) -> None:
        if not self._warned:
            notify(f"warning: {text}")
        self._warned = True

    def _check_patience(self, batch_id: int) -> None:
        if self.patience is not None and self.clock() - self._active_at > self.patience:
            raise NoLiveWorker(
                f"no live worker for {self.patience:.0f} s; the batch stays queued\n"
                f"start one: bullseye worker      then follow: bullseye status -w {batch_id}"
            )


def finish(
    last: Progress,
    engine: Engine,
    settings: Settings,
    expect: str | None = None,
    given: GivenSolutions | None = None,
) -> None:
    """Print the summary of a batch that is over; exit with 1 unless all is as it should be.

    That is: nothing failed, timed out, was invalid or cancelled, and the answers are those that
    `--expect` and `--verify` ask for.
    """
    batch = last.batch
    with read(engine) as connection:
        tally = tally_of(connection, batch)
    seconds = "" if last.seconds is None else duration(last.seconds)
    where = f"batch {batch.id} in {location(settings)}"
    notify(tally.line(reused(batch), seconds, where, puzzles=batch.puzzles))
    if batch.cancelled_at:
        notify(f"batch {batch.id} was cancelled; resume it with: bullseye retry {batch.id}")
    codes = [
        _verify(given, engine, last) if given else Exit.DONE,
        report_expectation(expect, tally, batch.id),
        tally.exit,
    ]
    if batch.cancelled_at or any(codes):
        raise click.exceptions.Exit(Exit.SOME_FAILED)


def _verify(given: GivenSolutions, engine: Engine, last: Progress) -> Exit:
    with read(engine) as connection:
        for answer in answers_of(connection, last.batch):
            given.compare(answer)
    return given.report()

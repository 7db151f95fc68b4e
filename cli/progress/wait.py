"""Follow a batch until it is over, sweeping meanwhile."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import click
from sqlalchemy import Engine

from cli.database import place
from cli.errors import Exit, NoLiveWorker
from cli.formatting import duration, notify
from cli.output.answers import answers_of
from cli.progress.display import ProgressDisplay
from cli.progress.summary import Tally, reused
from cli.progress.workers import WorkerTable, told
from cli.verify.expect import held
from storage.database import read
from storage.queries.progress import (
    ActiveLease,
    Progress,
    active_leases,
    count_outcomes,
    read_progress,
)
from worker.queue import dispatch
from worker.queue.backoff import TRANSIENT_ERRORS
from worker.queue.dispatch import Outbox
from worker.settings import Settings

if TYPE_CHECKING:
    from cli.verify.given_solutions import GivenSolutions

#: seconds without a live worker after which `--wait` gives up
PATIENCE = 60.0
#: seconds between two looks
LOOK = 0.25


def over(progress: Progress) -> bool:
    """Whether nothing more will come."""
    done = progress.batch.ready and progress.answered >= progress.batch.puzzles
    return bool(done or progress.batch.cancelled_at)


@dataclass(slots=True)
class Wait:
    """Waits for one batch; gives up after `patience` seconds without a live worker."""

    engine: Engine
    outbox: Outbox
    patience: float | None = PATIENCE
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _alive: float = field(default=0.0, init=False)
    _answered: int = field(default=-1, init=False)
    _swept: float = field(default=0.0, init=False)
    _warned: bool = field(default=False, init=False)
    _lanes: WorkerTable = field(default_factory=WorkerTable, init=False)
    _listening: list[str] = field(default_factory=list, init=False)

    def until_over(self, batch_id: int) -> Progress:
        """The last progress; raise NobodyWorks when patience ends."""
        self._alive = self._swept = self.clock()
        with ProgressDisplay(self.clock) as follower:
            while True:
                try:
                    progress, taken = self._progress(batch_id)
                    if over(progress):
                        return progress
                    follower.look(progress, self._workers(progress, taken))
                    self._sweep()
                except TRANSIENT_ERRORS as error:
                    self._warn(str(error))
                self._give_up_in_time(batch_id)
                self.sleep(LOOK)

    def _progress(self, batch_id: int) -> tuple[Progress, list[ActiveLease]]:
        with read(self.engine) as connection:
            progress = read_progress(connection, batch_id)
            taken = active_leases(connection, batch_id)
        if progress.answered != self._answered:
            self._answered, self._alive = progress.answered, self.clock()
        return progress, taken

    def _workers(self, progress: Progress, taken: list[ActiveLease]) -> list[str]:
        """A line for each worker that is alive."""
        lanes = self._lanes.at(self.clock(), self._listening, progress.workers, taken)
        return list(told(lanes))

    def _sweep(self) -> None:
        now = self.clock()
        if now - self._swept >= self.outbox.settings.sweep:
            self._swept = now
            self._listening = []  # while Redis does not answer nobody knows
            dispatch.sweep(self.outbox)
            self._listening = self.outbox.carrier.workers()
            if self._listening:
                self._alive = now

    def _warn(self, words: str) -> None:
        """Once: what passes by itself is not worth a second line."""
        if not self._warned:
            notify(f"warning: {words}")
        self._warned = True

    def _give_up_in_time(self, batch_id: int) -> None:
        if self.patience is not None and self.clock() - self._alive > self.patience:
            raise NoLiveWorker(
                f"no worker gave a sign of life for {self.patience:.0f} s; the batch waits\n"
                f"start one: bullseye worker      then look: bullseye status -w {batch_id}"
            )


def finish(
    last: Progress,
    engine: Engine,
    settings: Settings,
    expect: str | None = None,
    given: "GivenSolutions | None" = None,
) -> None:
    """Sum the batch up; exit with 1 if something failed, timed out, was invalid or cancelled.

    Or if it is not what was expected or what the files gave.
    """
    tally = Tally()
    with read(engine) as connection:
        for alike in count_outcomes(connection, last.batch.id):
            tally.add_many(alike)
    spent = "" if last.seconds is None else duration(last.seconds)
    where = f"batch {last.batch.id} in {place(settings)}"
    notify(tally.sentence(reused(last.batch), spent, where, of=last.batch.puzzles))
    if last.batch.cancelled_at:
        notify(f"batch {last.batch.id} was cancelled; go on with: bullseye retry {last.batch.id}")
    wrong = _verified(given, engine, last) if given else False
    if held(expect, tally, last.batch.id) or wrong or tally.exit or last.batch.cancelled_at:
        raise click.exceptions.Exit(Exit.SOME_FAILED)


def _verified(given: "GivenSolutions", engine: Engine, last: Progress) -> Exit:
    """All answers held against what the files gave."""
    with read(engine) as connection:
        for answer in answers_of(connection, last.batch):
            given.compare(answer)
    return given.told()

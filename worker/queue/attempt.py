"""One attempt at a chunk: take it, run it, commit its answers, or give the rest back.

Delivery is at least once, answers are stored exactly once: every commit is fenced by the
chunk's row, so an attempt that was overtaken stores nothing and stops.
"""

import logging
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TypeVar

from sqlalchemy import Connection, Engine

from storage import answers, batches, packing
from storage.database import read, write
from storage.outbox import leases
from storage.outbox.leases import Lease
from storage.values import Answers, Puzzle
from worker.errors import SolverFailed
from worker.options import Options
from worker.queue import chunk, quarantine, shutdown
from worker.queue.backoff import retrying
from worker.settings import Settings

T = TypeVar("T")

#: seconds between two looks at the batch's cancellation
LOOK = 1.0
#: seconds after which an attempt that is between two puzzles gives way to other batches
TURN = 120.0

logger = logging.getLogger(__name__)


def attempt(
    engine: Engine,
    chunk_id: int,
    text: str,
    *,
    worker: str,
    settings: Settings,
    clock: Callable[[], float] = time.monotonic,
) -> bool:
    """Solve the chunk whose puzzles `text` holds; False if it was not ours to solve.

    A chunk that is done, cancelled, or taken under a live renewal is left alone, and so is one
    that has other puzzles.  A database that cannot be used is waited for, unless the worker goes
    down.
    """

    def take(connection: Connection) -> tuple[Lease, list[Puzzle]] | None:
        taken = leases.take(
            connection, chunk_id, worker, settings.lease, digest=packing.digest(text)
        )
        if taken is None:
            return None
        puzzles = packing.unpack(text)
        before = answers.stored(connection, [puzzle.id for puzzle in puzzles])
        return taken, [puzzle for puzzle in puzzles if puzzle.id not in before]

    found = _written(engine, take)
    if found is None:
        return False
    taken, todo = found
    _Attempt(engine, taken, worker, settings, clock).run(todo)
    return True


def _written(engine: Engine, step: Callable[[Connection], T]) -> T:
    """What `step` gives in a transaction of its own, as soon as there can be one.

    A step must bear to be done twice: the network may fail after the commit.
    """

    def once() -> T:
        with write(engine) as connection:
            return step(connection)

    return retrying(once)


@dataclass(slots=True)
class _Attempt:
    """What one attempt knows while it runs."""

    engine: Engine
    taken: Lease
    worker: str
    settings: Settings
    clock: Callable[[], float]
    pending: list[Answers] = field(default_factory=list)
    began: float = 0.0
    committed: float = 0.0
    looked: float = 0.0
    answered: int = 0
    end: str = "overtaken"

    def run(self, puzzles: Sequence[Puzzle]) -> None:
        self.began = self.committed = self.looked = self.clock()
        options = Options.from_json(self.taken.options)
        ours = (
            self._together(puzzles, options)
            if self.taken.attempt == 1
            else self._alone(puzzles, options)
        )
        if ours and self._commit(done=True):
            self.end = "done"
        self._tell()

    def _tell(self) -> None:
        """One line a chunk, for whoever watches the worker."""
        logger.info(
            "chunk=%d batch=%d attempt=%d end=%s answered=%d seconds=%.3f",
            self.taken.chunk_id,
            self.taken.batch_id,
            self.taken.attempt,
            self.end,
            self.answered,
            self.committed - self.began,
        )

    def _together(self, puzzles: Sequence[Puzzle], options: Options) -> bool:
        """Solve them in one go; False if the attempt ended before they did."""
        answered = 0
        try:
            with closing(
                chunk.run(self.taken.kind, puzzles, options, self.settings.silence)
            ) as slices:
                for found in slices:
                    self.pending.append(found)
                    answered += len(found.id)
                    if not self._go_on(answered=bool(found.id)):
                        return False
        except SolverFailed as error:
            return self._apart(puzzles[answered:], options, error)
        return True

    def _apart(self, puzzles: Sequence[Puzzle], options: Options, error: SolverFailed) -> bool:
        """The solver gave one of them up, and does not say which: each by itself."""
        if len(puzzles) > 1:
            return all(self._together([puzzle], options) for puzzle in puzzles)
        logger.error("puzzle %d: %s", puzzles[0].id, error, exc_info=error)
        self.pending.append(
            Answers.of([chunk.failed(self.taken.kind, puzzles[0], options, str(error))])
        )
        return True

    def _alone(self, puzzles: Sequence[Puzzle], options: Options) -> bool:
        """After a death one by one, each noted first, so that the deadly puzzle is found."""
        for puzzle in sorted(puzzles, key=lambda puzzle: puzzle.id != self.taken.poison):
            if puzzle.id == self.taken.poison:
                if not self._in_quarantine(puzzle, options):
                    return False
            elif not (
                self._commit(done=False)
                and self._note(puzzle)
                and self._together([puzzle], options)
            ):
                return False
        return True

    def _in_quarantine(self, puzzle: Puzzle, options: Options) -> bool:
        """Solve what two attempts died on, or store that it is deadly."""
        found = quarantine.solve(
            self.taken.kind, puzzle, options, self._go_on, self.settings.silence
        )
        if found is None:
            return False
        self.pending.append(Answers.of([found]))
        return True

    def _go_on(self, *, answered: bool = False) -> bool:
        """Between two slices: look at shutdown, clock and cancellation.

        It gives way after an answer only: a puzzle that takes longer than a turn would otherwise
        be begun anew for ever.
        """
        now = self.clock()
        if shutdown.begun() or (answered and now - self.began > TURN):
            self._give_back()
            return False
        if now - self.looked > LOOK:
            self.looked = now
            if self._cancelled():
                self._commit(done=False)
                self.end = "cancelled"
                return False
        if now - self.committed > self.settings.renewal / 2:
            return self._commit(done=False)
        return True

    def _commit(self, *, done: bool) -> bool:
        """Store what is pending; False if another attempt has overtaken this one."""
        found = Answers.joined(self.pending)

        def finish(connection: Connection) -> bool:
            return leases.store_answers(connection, self.taken, found, self.worker, done=done)

        ours = _written(self.engine, finish)
        self.answered += len(found.id) if ours else 0
        self.pending = []
        self.committed = self.clock()
        return ours

    def _note(self, puzzle: Puzzle) -> bool:
        taken = self.taken
        return _written(
            self.engine,
            lambda connection: leases.note_begun(
                connection, taken.chunk_id, taken.attempt, puzzle.id
            ),
        )

    def _give_back(self) -> None:
        if self._commit(done=False):
            with write(self.engine) as connection:
                leases.release(connection, self.taken.chunk_id, self.taken.attempt)
            self.end = "given_back"

    def _cancelled(self) -> bool:
        def look() -> bool:
            with read(self.engine) as connection:
                return batches.find(connection, self.taken.batch_id).cancelled_at is not None

        return retrying(look)

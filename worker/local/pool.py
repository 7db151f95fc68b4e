"""Solve a batch in a process pool: the same chunks and rows, where there is no Redis."""

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing import get_context

from sqlalchemy import Engine

from storage.database import open_database, write
from storage.outbox import publishing, recovery
from storage.outbox.publishing import Chunk
from worker.queue import garbage
from worker.queue.attempt import attempt
from worker.settings import Settings

#: seconds between two looks at what is finished
LOOK = 0.1


class Pool:
    """Feeds the chunks of one queue to `processes` processes, two each at a time."""

    def __init__(self, settings: Settings, processes: int) -> None:
        self.settings = settings
        self.processes = processes
        self.executor = self._new_executor()
        self.running: dict[Future[bool], int] = {}

    def step(self, engine: Engine) -> None:
        """Hand out what fits, and wait a moment for what is running."""
        claimed = self._claim(engine, 2 * self.processes - len(self.running))
        try:
            self.running |= {self._submit(chunk): chunk.id for chunk in claimed}
            done, _ = wait(self.running, timeout=LOOK, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
                del self.running[future]
        except BrokenProcessPool:
            known = {*self.running.values(), *(chunk.id for chunk in claimed)}
            self._start_over(engine, sorted(known))

    def close(self) -> None:
        """End hard: what is running is not waited for."""
        for process in self.executor._processes.values():  # no public way to end them
            process.kill()
        self.executor.shutdown(wait=True, cancel_futures=True)

    def _claim(self, engine: Engine, room: int) -> list[Chunk]:
        if room < self.processes:
            return []
        with write(engine) as connection:
            return publishing.claim_new(
                connection, self.settings.queue, self.settings.room, most=room
            )

    def _submit(self, chunk: Chunk) -> Future[bool]:
        return self.executor.submit(_answer, self.settings, chunk.id, chunk.puzzles)

    def _start_over(self, engine: Engine, handed_out: Sequence[int]) -> None:
        """A process died, and the executor with it: what was handed out is handed out again."""
        self.executor = self._new_executor()
        with write(engine) as connection:
            recovery.claim_lost(connection, self.settings.queue, lease=0.0, idle=False)
            publishing.mark_unsent(connection, handed_out)
        self.running.clear()

    def _new_executor(self) -> ProcessPoolExecutor:
        # Spawned, not forked: this process has threads and open connections.
        return ProcessPoolExecutor(
            self.processes,
            mp_context=get_context("spawn"),
            initializer=garbage.collect_rarely,
        )


def _answer(settings: Settings, chunk_id: int, puzzles: str) -> bool:
    """In a process of the pool: what a worker's task does."""
    engine = _engine(settings.database_url)
    return attempt(engine, chunk_id, puzzles, worker="pool", settings=settings)


@lru_cache(maxsize=1)
def _engine(url: str) -> Engine:
    return open_database(url)

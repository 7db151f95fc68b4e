"""A process pool that solves the chunks of a queue without Redis.

It claims the same rows as a publisher and runs the same attempts as a worker; only the transport
between the two differs.
"""

import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import lru_cache
from multiprocessing.connection import Connection

from sqlalchemy import Engine

from storage.database import open_database, write
from storage.outbox import leases, publishing
from storage.outbox.publishing import Chunk
from worker import garbage
from worker.attempt.chunk import attempt
from worker.attempt.context import Context
from worker.local.process_group import ProcessGroup, process_group
from worker.outages import retrying
from worker.queue.notices import NoticeReader, send_notices
from worker.semaphores import require_semaphores
from worker.settings import Settings
from worker.solve import warm_up

#: seconds that one step waits for a finished chunk
STEP_SECONDS = 0.1
#: chunks submitted for each process, so that none waits for the next step
CHUNKS_PER_PROCESS = 2


class Pool:
    """Processes that solve the chunks of `settings.queue`; a program has at most one pool.

    `notify` is called once with each reason for which the processes wait.  Raises NoSemaphores.
    """

    def __init__(self, settings: Settings, processes: int, notify: Callable[[str], None]) -> None:
        require_semaphores()
        self.settings = settings
        self.processes = processes
        self._stack = ExitStack()
        self._group = self._stack.enter_context(process_group())
        # Not forked: this process has threads and open connections.
        self._context = multiprocessing.get_context("spawn")
        self._reader, self._writer = self._context.Pipe(duplex=False)
        self._notices = NoticeReader(self._reader.fileno(), notify)
        self.executor = self._new_executor()
        self.running: dict[Future[bool], int] = {}

    def step(self, engine: Engine) -> None:
        """Submit new chunks, and wait for a finished one, or for STEP_SECONDS.

        If a process has died, all submitted chunks become new and later steps submit them again.
        """
        self._notices.update()
        room = CHUNKS_PER_PROCESS * self.processes - len(self.running)
        given = (engine, self.settings.queue, self.settings.room, room)
        claimed = retrying(lambda: publishing.claim(*given)) if room >= self.processes else []
        try:
            self.running |= {self._submit(chunk): chunk.id for chunk in claimed}
            done, _ = wait(self.running, timeout=STEP_SECONDS, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
                del self.running[future]
        except BrokenProcessPool:
            submitted = {*self.running.values(), *(chunk.id for chunk in claimed)}
            self._restart(engine, sorted(submitted))

    def close(self) -> None:
        """Kill the processes; their chunks stay unfinished."""
        self._stack.close()
        self.executor.shutdown(wait=True, cancel_futures=True)
        self._reader.close()
        self._writer.close()

    def _submit(self, chunk: Chunk) -> Future[bool]:
        given = (self.settings, self.processes, chunk.id, chunk.puzzles)
        return self.executor.submit(_solve, *given)

    def _restart(self, engine: Engine, submitted: Sequence[int]) -> None:
        """Replace an executor that broke because a process died, and make its chunks new."""

        def give_back() -> None:
            with write(engine) as connection:
                leases.end_all(connection, self.settings.queue)
                publishing.mark_unsent(connection, submitted)

        self.executor = self._new_executor()
        retrying(give_back)
        self.running.clear()

    def _new_executor(self) -> ProcessPoolExecutor:
        """Return an executor whose processes have all been started."""
        # Inherited by the processes: a terminal sends both to them too until they join the group.
        # The process with which `multiprocessing` tracks semaphores ignores SIGINT by itself;
        # making the executor starts it, which unblocks SIGINT.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGHUP])
        executor = ProcessPoolExecutor(
            self.processes,
            mp_context=self._context,
            initializer=_prepare_process,
            initargs=(self._group, self._writer),
        )
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        # An executor starts one process per call while none is idle.  Without these calls, the
        # first search would have one process until it is divided, and the others start only then.
        for _ in range(self.processes):
            executor.submit(os.getpid)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return executor


def _prepare_process(group: ProcessGroup, notices: Connection) -> None:
    """Join the process group that ends with the command, and compile the solver.

    The watchdog of the first chunk would end a slow compilation.
    """
    if not group.join():  # the command has died, and the group with it
        os._exit(os.EX_OK)
    garbage.collect_rarely()
    send_notices(os.dup(notices.fileno()))  # the connection is closed when this function returns
    warm_up()


def _solve(settings: Settings, processes: int, chunk_id: int, puzzles: str) -> bool:
    """Run one attempt at a chunk, in a process of the pool."""
    engine = _engine(settings.database_url)
    context = Context(engine, "pool", settings, processes=lambda: processes)
    return attempt(context, chunk_id, puzzles)


@lru_cache(maxsize=1)
def _engine(url: str) -> Engine:
    return open_database(url)

"""Solve a suspect puzzle in a child process, so that it cannot end the process of the worker.

A puzzle is suspect if two attempts in a row died after they had noted it as begun.  Where processes
die often and of something else, that may be a coincidence; a death in the child process is proof.
"""

import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import NoReturn, TypeVar, cast

from storage.values import Answer, Answers, Kind, Puzzle
from worker.errors import SolverFailed
from worker.options import Options
from worker.queue import chunk, watchdog

T = TypeVar("T")

#: seconds between two calls of `go_on`
GO_ON_POLL_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Death:
    """The end of a child process that returned no result."""

    exit_code: int  #: minus the number of the signal that killed it, if one did

    def reason(self, silence: float) -> str:
        """A sentence for the answer's `detail`; `silence` is the watchdog's limit in seconds."""
        if self.exit_code == watchdog.EXIT_CODE:
            return f"the solver did not come back for {silence:g} s"
        if self.exit_code == -signal.SIGKILL:
            return "the solver was killed (SIGKILL), as the system does when memory runs out"
        if self.exit_code < 0:
            return f"the solver died of {signal.Signals(-self.exit_code).name}"
        return f"the solver ended its process with exit code {self.exit_code}"


def solve(
    kind: Kind, puzzle: Puzzle, options: Options, go_on: Callable[[], bool], silence: float
) -> Answer | None:
    """The answer to a puzzle, `failed` if its process died; None as soon as `go_on()` is false.

    The process also ends where its kernel does not return for `silence` seconds.
    """

    def work() -> Answer:
        try:
            (answer,) = Answers.joined(list(chunk.run(kind, [puzzle], options, silence))).rows()
        except SolverFailed as error:
            return chunk.failed(kind, puzzle, options, str(error))
        return answer

    found = isolated(work, go_on)
    if isinstance(found, Death):
        return chunk.failed(kind, puzzle, options, found.reason(silence))
    return found


def isolated(work: Callable[[], T], go_on: Callable[[], bool]) -> T | Death | None:
    """The result of `work()` in a child process, or how that process died.

    The process is killed, and the result is None, as soon as `go_on()` is false; it is called
    several times a second, and once more after a death: what ends the whole worker may end the
    child process first.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    # Celery's pool processes are daemonic, and multiprocessing allows those no children.
    child = os.fork()
    if child == 0:
        _report(work, sender)
    sender.close()
    try:
        with receiver:
            while not receiver.poll(GO_ON_POLL_SECONDS):
                if not go_on():
                    return None
            with suppress(EOFError, OSError):  # it died before or while it sent its result
                return cast(T, receiver.recv())
    finally:
        os.kill(child, signal.SIGKILL)  # without effect if it has died
        _, status = os.waitpid(child, 0)
    return Death(os.waitstatus_to_exitcode(status)) if go_on() else None


def _report(work: Callable[[], object], sender: Connection) -> NoReturn:
    """Send the result of `work()`, in the child process.

    It ends without cleaning up: its connections and files are shared with the parent process.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # Celery's handler would hide the cause of death
    try:
        sender.send(work())
    except BaseException:
        traceback.print_exc()
        os._exit(os.EX_SOFTWARE)  # not the exit code of the watchdog
    os._exit(os.EX_OK)

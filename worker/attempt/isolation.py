"""What keeps a puzzle from holding or ending the process of a worker: a watchdog, a child process.

Compiled code runs without the interpreter, so no exception and no signal handler can interrupt it:
the watchdog, a thread of `faulthandler`, ends a process whose kernel does not return.

A puzzle is suspect if processes died that solved it, alone or with others, and is solved in a child
process.  If processes often die for another reason, the suspicion may be a coincidence; a death in
the child process is proof.
"""

import ctypes
import faulthandler
import multiprocessing
import os
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import NoReturn, TypeVar, cast

from worker.errors import SolverFailed

T = TypeVar("T")

#: the exit code of a process that the watchdog ended; `faulthandler` fixes it
WATCHDOG_EXIT_CODE = 1
#: where the traceback goes; not `sys.stderr`, which Celery replaces by a logger without a file
STDERR_DESCRIPTOR = 2
#: seconds between two calls of `check`
CHECK_SECONDS = 0.25
#: the option of prctl(2) for the signal that a process gets when its parent dies
PR_SET_PDEATHSIG = 1


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """End this process if the block takes longer than `seconds`."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=STDERR_DESCRIPTOR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


@dataclass(frozen=True, slots=True)
class Death:
    """The end of a child process that returned no result."""

    exit_code: int  #: minus the number of the signal that killed it, if one did

    def reason(self, silence: float) -> str:
        """Return the cause, for the answer's `detail`; `silence` is the watchdog's limit."""
        if self.exit_code == WATCHDOG_EXIT_CODE:
            return f"the solver did not return within {silence:g} s"
        if self.exit_code == -signal.SIGKILL:
            return "the solver was killed (SIGKILL), as the system does when memory runs out"
        if self.exit_code < 0:
            return f"the solver died of {signal.Signals(-self.exit_code).name}"
        return f"the solver ended its process with exit code {self.exit_code}"


def solved(work: Callable[[], T], silence: float, check: Callable[[], None]) -> T:
    """Return the result of `work()`, which calls the solver, in a child process.

    Raises SolverFailed as `work` does, and if the child process dies; `silence` is the limit of its
    watchdog, in seconds.  `check` is that of `isolated`.
    """

    def guarded() -> T | SolverFailed:
        try:
            return work()
        except SolverFailed as error:
            return SolverFailed(str(error))  # without a traceback, which cannot be sent

    found = isolated(guarded, check)
    if isinstance(found, Death):
        raise SolverFailed(found.reason(silence))
    if isinstance(found, SolverFailed):
        raise found
    return found


def isolated(work: Callable[[], T], check: Callable[[], None]) -> T | Death:
    """Return the result of `work()` in a child process, or how that process died.

    `check()` is called several times a second, and once more after a death, because what ends the
    whole worker may end the child process first.  An exception that it raises kills the process.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    parent = os.getpid()
    # Celery's pool processes are daemonic, and multiprocessing allows those no children.
    child = os.fork()
    if child == 0:
        _end_with(parent)
        _report(work, sender)
    sender.close()
    try:
        with receiver:
            while not receiver.poll(CHECK_SECONDS):
                check()
            with suppress(EOFError, OSError):  # it died before or while it sent its result
                return cast(T, receiver.recv())
    finally:
        os.kill(child, signal.SIGKILL)  # without effect if it has died
        _, status = os.waitpid(child, 0)
    check()
    return Death(os.waitstatus_to_exitcode(status))


def _end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent, which has just forked it, dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it died before the call
        os._exit(os.EX_OK)


def _report(work: Callable[[], object], sender: Connection) -> NoReturn:
    """Send the result of `work()` to the parent process, and end this child process.

    It ends without cleaning up, because it shares connections and files with its parent.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # Celery's handler would hide the cause of death
    try:
        sender.send(work())
    except BaseException:
        traceback.print_exc()
        os._exit(os.EX_SOFTWARE)  # not the exit code of the watchdog
    os._exit(os.EX_OK)

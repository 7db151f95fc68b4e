"""What keeps a puzzle from holding or ending the process of a worker: a watchdog, a child process.

Compiled code runs without the interpreter, so no exception and no signal handler can interrupt it:
the watchdog, a thread of `faulthandler`, ends a process whose kernel does not return.

A puzzle is suspect if processes died that solved it, alone or with others, and is solved in a child
process.  If processes often die for another reason, the suspicion may be a coincidence; a death in
the child process is proof.
"""

import faulthandler
import multiprocessing
import os
import select
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from threading import Thread
from typing import NoReturn, TypeVar, cast

from worker.errors import SolverFailed

T = TypeVar("T")

#: the exit code of a process that the watchdog ended; `faulthandler` fixes it
WATCHDOG_EXIT_CODE = 1
#: where the traceback goes; not `sys.stderr`, which Celery replaces by a logger without a file
STDERR_DESCRIPTOR = 2
#: seconds between two calls of a check, which may end an attempt before its time
CHECK_SECONDS = 0.25


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """End this process if the block takes longer than `seconds`."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=STDERR_DESCRIPTOR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()


def solved(work: Callable[[], T], silence: float, check: Callable[[], None]) -> T:
    """Return the result of `work()`, which calls the solver, in a child process.

    Raises SolverFailed as `work` does, and if the child process dies; `silence` is the limit of its
    watchdog, in seconds.

    `check()` is called several times a second, and once more after a death, because what ends the
    whole worker may end the child process first.  An exception that it raises kills the process.
    """
    receiver, sender = multiprocessing.Pipe(duplex=False)
    # Celery's pool processes are daemonic, and multiprocessing allows those no children.
    child = os.fork()
    if child == 0:
        receiver.close()
        Thread(target=_end_with_reader, args=(sender,), daemon=True).start()
        _report(work, sender)
    sender.close()
    try:
        with receiver:
            while not receiver.poll(CHECK_SECONDS):
                check()
            with suppress(EOFError, OSError):  # it died before or while it sent its result
                result, error = receiver.recv()
                if error is not None:
                    raise SolverFailed(error)
                return cast(T, result)
    finally:
        os.kill(child, signal.SIGKILL)  # without effect if it has died
        _, status = os.waitpid(child, 0)
    check()
    raise SolverFailed(_cause(os.waitstatus_to_exitcode(status), silence))


def _cause(exit_code: int, silence: float) -> str:
    """Return why a child process died; the code is minus the number of a signal that killed it."""
    if exit_code == WATCHDOG_EXIT_CODE:
        return f"the solver did not return within {silence:g} s"
    if exit_code == -signal.SIGKILL:
        return "the solver was killed (SIGKILL), as the system does when memory runs out"
    if exit_code < 0:
        return f"the solver died of {signal.Signals(-exit_code).name}"
    return f"the solver ended its process with exit code {exit_code}"


def _end_with_reader(sender: Connection) -> None:
    """End this process when the only process that reads from the pipe, its parent, has died."""
    pipe = select.poll()
    pipe.register(sender, 0)  # an error is reported always
    pipe.poll()
    os._exit(os.EX_OK)


def _report(work: Callable[[], object], sender: Connection) -> NoReturn:
    """Send the result of `work()`, or why the solver failed, and end this child process.

    It ends without cleaning up, because it shares connections and files with its parent.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # Celery's handler would hide the cause of death
    try:
        sender.send(_result(work))
    except BaseException:
        traceback.print_exc()
        os._exit(os.EX_SOFTWARE)  # not the exit code of the watchdog
    os._exit(os.EX_OK)


def _result(work: Callable[[], object]) -> tuple[object, str | None]:
    try:
        return work(), None
    except SolverFailed as error:  # its traceback cannot be sent
        return None, str(error)

"""A puzzle under suspicion, in a process of its own: what dies there is no worker.

Two deaths in turn while the same puzzle was begun may be chance, where workers die of something
else and often.  Only this tells.
"""

import os
import pickle
import signal
from collections.abc import Callable
from select import select

from storage.values import Answer, Answers, Puzzle
from worker.errors import SolverFailed
from worker.options import Options
from worker.queue import chunk, watchdog

#: seconds between two looks at whether to go on
LOOK = 0.25


def solve(
    puzzle: Puzzle, options: Options, go_on: Callable[[], bool], silence: float
) -> Answer | None:
    """Its answer, `failed` with the reason if the process died on it; None if not to go on.

    The process ends as well where its kernel does not come back for `silence` seconds.
    """
    receive, send = os.pipe()
    process = os.fork()
    if process == 0:
        _answer(puzzle, options, silence, send)
    os.close(send)
    with os.fdopen(receive, "rb") as pipe:
        try:
            while not select([pipe], [], [], LOOK)[0]:
                if not go_on():
                    return None
            told = pipe.read()
        finally:
            os.kill(process, signal.SIGKILL)  # which changes nothing for one that is dead
            _, status = os.waitpid(process, 0)
    try:
        found: Answer = pickle.loads(told)  # noqa: S301 # from our own child
    except (EOFError, pickle.UnpicklingError):
        # Who ends a whole worker may end this process first.
        return chunk.failed(puzzle, options, _cause(status, silence)) if go_on() else None
    return found


def _answer(puzzle: Puzzle, options: Options, silence: float, send: int) -> None:
    """In the process: nothing that it shares with its parent is closed or told to end."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler would hide the cause of death
    try:
        try:
            parts = list(chunk.run([puzzle], options, silence))
            (found,) = Answers.joined(parts).rows()
        except SolverFailed as error:
            found = chunk.failed(puzzle, options, str(error))
        with os.fdopen(send, "wb") as pipe:
            pickle.dump(found, pipe)
    finally:
        os._exit(0)


def _cause(status: int, silence: float) -> str:
    """Of the death."""
    code = os.waitstatus_to_exitcode(status)
    if code == watchdog.BITTEN:
        return f"the solver did not come back for {silence:g} s"
    if code == -signal.SIGKILL:
        return "the solver was killed (SIGKILL), as the system does when memory runs out"
    if code < 0:
        return f"the solver died of {signal.Signals(-code).name}"
    return f"the solver ended its process with exit code {code}"

"""A puzzle under suspicion, in a process of its own: what dies there is no worker.

Two deaths in turn while the same puzzle was begun may be chance, where workers die of something
else and often.  Only this tells.
"""

import os
import pickle
import signal
from collections.abc import Callable
from select import select
from typing import IO

from storage.values import Answer, Puzzle
from worker import chunk
from worker.puzzles.options import Options

#: seconds between two looks at whether to go on
LOOK = 0.25


def solve(puzzle: Puzzle, options: Options, go_on: Callable[[], bool]) -> list[Answer] | None:
    """Its answer, in a list; an empty one if the process died on it; None if not to go on."""
    receive, send = os.pipe()
    process = os.fork()
    if process == 0:
        _answer(puzzle, options, send)
    os.close(send)
    with os.fdopen(receive, "rb") as pipe:
        try:
            return _received(pipe, go_on)
        finally:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _answer(puzzle: Puzzle, options: Options, send: int) -> None:
    """In the process: nothing that it shares with its parent is closed or told to end."""
    try:
        found = [answer for some in chunk.run([puzzle], options) for answer in some]
        with os.fdopen(send, "wb") as pipe:
            pickle.dump(found, pipe)
    finally:
        os._exit(0)


def _received(pipe: IO[bytes], go_on: Callable[[], bool]) -> list[Answer] | None:
    while not select([pipe], [], [], LOOK)[0]:
        if not go_on():
            return None
    try:
        found: list[Answer] = pickle.load(pipe)  # noqa: S301 # from our own child
    except (EOFError, pickle.UnpicklingError):
        return []
    return found

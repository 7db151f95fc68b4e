"""The watchdog of a solver: a process whose kernel does not come back is ended.

A kernel runs without Python, so no exception and no signal handler can reach it; a thread of
its own ends the process, and the chunk is begun again as after any other death.
"""

import faulthandler
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

#: the exit status of a process that the watchdog ended
BITTEN = 1
#: where it says what the process was doing; Celery puts a log in the place of `sys.stderr`
STDERR = 2


def watched(slices: Iterable[T], seconds: float) -> Iterator[T]:
    """The same slices; the process ends if one of them takes longer than `seconds`."""
    coming = iter(slices)
    while True:
        faulthandler.dump_traceback_later(seconds, exit=True, file=STDERR)
        try:
            found = next(coming)
        except StopIteration:
            return
        finally:
            faulthandler.cancel_dump_traceback_later()
        yield found

"""A watchdog that ends a process whose kernel does not return.

Compiled code runs without the interpreter, so no exception and no signal handler can interrupt it.
A thread of `faulthandler` ends the process, and the chunk is retried as after any other death.
"""

import faulthandler
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

#: the exit code of a process that the watchdog ended; `faulthandler` fixes it
EXIT_CODE = 1
#: where the traceback goes; not `sys.stderr`, which Celery replaces by a logger without a file
STDERR_DESCRIPTOR = 2


def watched(slices: Iterable[T], seconds: float) -> Iterator[T]:
    """Iterate over `slices`; if one of them takes longer than `seconds`, end the process.

    The time between two slices, in which the caller works, does not count.
    """
    iterator = iter(slices)
    while True:
        faulthandler.dump_traceback_later(seconds, exit=True, file=STDERR_DESCRIPTOR)
        try:
            item = next(iterator)
        except StopIteration:
            return
        finally:
            faulthandler.cancel_dump_traceback_later()
        yield item

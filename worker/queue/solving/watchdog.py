"""A watchdog that ends a process whose kernel does not return.

Compiled code runs without the interpreter, so no exception and no signal handler can interrupt it.
A thread of `faulthandler` ends the process, and the chunk is retried as after any other death.
"""

import faulthandler
from collections.abc import Iterator
from contextlib import contextmanager

#: the exit code of a process that the watchdog ended; `faulthandler` fixes it
EXIT_CODE = 1
#: where the traceback goes; not `sys.stderr`, which Celery replaces by a logger without a file
STDERR_DESCRIPTOR = 2


@contextmanager
def watching(seconds: float) -> Iterator[None]:
    """End this process if the block takes longer than `seconds`."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=STDERR_DESCRIPTOR)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()

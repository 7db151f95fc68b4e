"""What is logged when the solver is compiled, and the time until it is loaded."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from threading import local
from time import perf_counter_ns, thread_time_ns

#: what is logged, and shown by `solve`
TEXT = "compiling the solver, once, up to 30 s"

logger = logging.getLogger(__name__)


class _Spent(local):
    """The time that this thread took to compile or load, in nanoseconds: it is no puzzle's."""

    wall_ns = cpu_ns = 0


spent = _Spent()


@contextmanager
def of_no_puzzle() -> Iterator[None]:
    """Add the time of the block to `spent`."""
    wall, cpu = perf_counter_ns(), thread_time_ns()
    try:
        yield
    finally:
        spent.wall_ns += perf_counter_ns() - wall
        spent.cpu_ns += thread_time_ns() - cpu


@cache
def announce() -> None:
    """Log TEXT, once; as a warning, so that it is seen in programs that configure no logging."""
    logger.warning(TEXT, extra={"reason": TEXT})

"""What is logged when the solver is compiled, and the time that this takes."""

import logging
from functools import cache
from threading import local

#: what is logged, and shown by `solve`
TEXT = "compiling the solver, once, up to 30 s"

logger = logging.getLogger(__name__)


class _Spent(local):
    """The time that this thread took to compile, in nanoseconds: it is no puzzle's."""

    wall_ns = cpu_ns = 0


spent = _Spent()


@cache
def announce() -> None:
    """Log TEXT, once; as a warning, so that it is seen in programs that configure no logging."""
    logger.warning(TEXT, extra={"reason": TEXT})

"""What is logged when numba compiles the solver, and the time that takes; does not import numba."""

import logging
from threading import local

#: what is logged, and shown by `solve`
TEXT = "compiling the solver, once, about 10 s"

logger = logging.getLogger(__name__)


class _Spent(local):
    """The time that numba took to compile in this thread, in nanoseconds: it is no puzzle's."""

    wall_ns = cpu_ns = 0


spent = _Spent()

"""What is logged when numba compiles the solver; importing this does not import numba."""

import logging

#: what is logged, and shown by `solve`
TEXT = "compiling the solver, once, about 10 s"

logger = logging.getLogger(__name__)

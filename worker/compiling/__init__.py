"""How numba compiles the solver.

Read in this order: jit, vectors, linking, clock, log.
"""

"""How numba compiles the solver.

Read in this order: log, numbers, cache, jit, vectors, clock.
"""

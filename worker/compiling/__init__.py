"""How numba compiles the solver.

Read in this order: log, numbers, jit, vectors, clock.
"""

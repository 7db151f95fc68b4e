"""How numba compiles the solver.

Read in this order: log, jit, vectors, clock.
"""

"""How numba compiles the solver.

Read in this order: jit, linking, clock, announcer.
"""

"""How the solver is compiled, stored and called.

Read in this order: numbers, jit, vectors, clock; entry, cache, log; then what makes machine code,
with numba: compiler, block, operations, lanes.
"""

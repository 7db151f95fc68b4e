"""Covers with multiplicities: items that are covered between so many times and so many times.

General, with NumPy and numba only; README.md is the chapter about it.  Read in this order: layout,
state, cover, search, multipliers, entries, tally, solve.
"""

"""Covers with multiplicities: each item has a least and a greatest number of times.

General, with NumPy and numba only; README.md is the chapter about it.  Read in this order: layout,
cover, search, solve.
"""

"""Set covers, and the cheapest of all covers whose items have a least and a greatest number.

General, with NumPy and numba only; README.md is the chapter about it.  Read in this order: layout,
cover, sweeps, linear, bound, dominance, branch, probe, search, root, heuristics, strategy, run,
part, solve.
"""

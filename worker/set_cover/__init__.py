"""Set covers: the fewest or cheapest options that have every item once or more.

General, with NumPy and numba only; README.md is the chapter about it.  Read in this order: layout,
cover, bound, dominance, search, walk, neighbourhood, solve.
"""

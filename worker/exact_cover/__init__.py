"""Exact cover by Dancing Links, for any items and options; needs only NumPy and numba.

Read in this order: README.md, problem, layout, colour, cover, branch, state, solutions, search,
entries, solve; then the folders costs and parts.
"""

"""Exact cover by Dancing Links, for any items and options; needs only NumPy and numba.

Read in this order: README.md, problem, colour, layout, cover, branch, state, solutions, search,
parts, dual, rounds, entries, solve, cheapest.
"""

"""Exact cover by Dancing Links, for any items and options; needs only NumPy and numba.

Read in this order: README.md, problem, dense, layout, form, rows, cover, exclude, branch,
state, solutions, search, slices, solve; then the folders costs and parts.
"""

"""Exact cover by Dancing Links, for any items and options; needs only NumPy and numba.

Read in this order: README.md, problem, nodes, layout, form, cover, exclude, branch, stops,
state, solutions, search, slices, scores, solve; then the folders costs and parts.
"""

"""Exact cover by dancing links, for any items and options; needs only NumPy and numba.

Read in this order: README.md, problem, colour, price, compiled, dlx.
"""

"""The mathematics: exact cover by Dancing Links.  numpy and numba only.

Read in this order: README.md, problem, dlx.
"""

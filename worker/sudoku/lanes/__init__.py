"""The search of a 9x9 grid in lanes of vector registers, which hold its cells.

Read in this order: board, propagate, branch, search.
"""

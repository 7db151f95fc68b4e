"""The search of a 9x9 grid: Algorithm X on items that are lanes of vector registers.

Read in this order: board, cover, branch, search, levels.
"""

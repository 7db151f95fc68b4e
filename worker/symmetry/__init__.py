"""Sudokus up to symmetry: the least text of all grids that are the same puzzle in another dress.

Read in this order: state, rows, full, wide, wide_full,
forms, texts, classes, equivalents; README.md explains the law.
"""

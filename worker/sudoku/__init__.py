"""Sudoku as exact cover: the translator, the presolve, and the search for the best score.

Read in this order: symbols, rings, solve, target.
"""

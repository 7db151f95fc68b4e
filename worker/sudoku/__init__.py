"""Sudoku as exact cover: the presolve, the search, and the best score.

Read in this order: symbols, rings, weights, board, solve, solver, outcomes, parts, counts, rounds;
then, compiled, grids, lay_out, entries, and the packages presolving and lanes.
"""

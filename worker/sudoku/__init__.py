"""Sudoku as exact cover: the presolve and a first search; what lasts becomes a problem.

Read in this order: symbols, rings, weights, board, solve, solver, outcomes, puzzle; then, compiled,
grids, lay_out, entries, and the packages presolving and lanes.
"""

"""Sudoku as exact cover: the presolve and a first search; what lasts becomes a problem.

Read in this order: symbols, weights, board, solve, solver, outcomes, puzzle; then, compiled,
presolve, lay_out, entries, and the package lanes.
"""

"""What a puzzle is: grids, weights, covers, and the files they come in.  No queue, no database.

Read in this order: options, outcome, search, sudoku, target, cover, formats.
"""

"""Turns lines into puzzles, with one reader for each format.

Read in this order: reading, columns, find_grids, solutions, prose, line, lines, rows; cover_lines,
dlx, matrix, judge_problems; then the folder structured.
"""

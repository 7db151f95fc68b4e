"""One reader a format: lines become puzzles.

Read in this order: reading, columns, find_grid, line, lines, rows; cover_lines, dlx, matrix; then
jsonl, opensudoku.
"""

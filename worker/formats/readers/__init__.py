"""One reader a format: lines become puzzles.

Read in this order: columns, rows, covers, jsonl, opensudoku.
"""

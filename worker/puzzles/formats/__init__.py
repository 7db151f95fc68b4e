"""A file -> puzzles, lazily, one clear error with its line; and back.

Read in this order: source, detect, grids, covers, judge.
"""

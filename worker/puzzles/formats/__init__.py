"""A file -> puzzles, lazily, one clear error with its line; and back.

Read in this order: entry, source, text, detect, fits, onelines, grids, covers, judge.
"""

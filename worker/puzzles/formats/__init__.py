"""A file -> puzzles, lazily, one clear error with its line; and back in the judge's layout.

Read in this order: entry, source, text, head, detect, fits, alphabets, refusals; then what reads:
onelines, grids, covers.  `judge` writes answers and `weights` reads a target's weights.
"""

"""A file becomes puzzles, read lazily, with one clear error that names its line.

Read in this order: entry, source, text, head, detect, fits, alphabets, refusals; then the readers:
onelines, grids, covers.  `judge` writes answers and `weights` reads the weights of a target.
"""

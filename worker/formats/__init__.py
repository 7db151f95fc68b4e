"""A file becomes puzzles, read lazily, with one clear error that names its line; and back.

Read in this order: entry, block, source, files, layout, detection, symbols, onelines, readers,
excerpt, errors; then cover.  `judge` writes answers, `weights` reads the weights of a target.
"""

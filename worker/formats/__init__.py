"""A file becomes puzzles, read lazily, with one clear error that names its line; and back.

Read in this order: entry, block, layout, symbols, source; then the way of an input: files,
detection, readers.  `judge` writes answers, `weights` reads the weights of target sudokus, and all
rooms use excerpt and errors.
"""

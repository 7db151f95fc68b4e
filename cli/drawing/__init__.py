"""One puzzle drawn for people.

Read in this order: grid (a grid as text), puzzle (everything that `bullseye show` prints); the
picture is drawn by `worker.formats.svg`, for Python programs, too.
"""

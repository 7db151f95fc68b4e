"""From the files on the command line to a spool of puzzles.

Read in this order: request (the options of `solve` and `submit`), files (reads all of them).
"""

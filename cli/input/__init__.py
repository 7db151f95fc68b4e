"""From the files on the command line to a spool of puzzles.

Read in this order: request (the options of `solve` and `submit`), spool (reads all files), dry_run
(`--dry-run`: describes the files instead).
"""

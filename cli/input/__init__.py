"""From the files on the command line to a spool of puzzles.

Read in this order: request (the options of `solve` and `submit`), size (tells small inputs), source
(one file), spool (all files), dry_run (`--dry-run`: describes the files instead).
"""

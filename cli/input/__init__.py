"""From the files on the command line to a spool of puzzles."""

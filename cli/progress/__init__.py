"""The progress of a batch, on a terminal, in a log and as JSON.

Read in this order: rate, time_left and workers (what is measured), bar and display (what is
drawn), summary (the last line), searches (lines about puzzles in parts), wait (follows a batch to
its end), status and worker_list (`bullseye status` and `bullseye workers`),
upgrade (while the tables of an earlier release are upgraded).
"""

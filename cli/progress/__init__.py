"""The progress of a batch, on a terminal, in a log and as JSON.

Read in this order: rate, searches and workers (what is measured, and its lines), bar and display
(what is drawn), summary (the last line), wait (follows a batch to its end), status (`bullseye
status`).
"""

"""The progress of a batch, on a terminal, in a log and as JSON.

Read in this order: display (what is measured and drawn) and bar, searches and workers (lines below
it), summary (the last line), wait (follows a batch to its end), status (`bullseye
status`), metrics (`bullseye metrics`).
"""

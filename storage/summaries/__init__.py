"""Summaries of answers, written in the transaction that stores them, so that nothing scans answers.

A transaction stores the answers of a chunk, or of a part of it.  It adds one row for each kind of
answer among them, with what these have in common and with counts, sums, extremes and distributions;
readers add up these rows.  Rows are never updated, so processes that store answers do not wait for
each other.  Answers that `retry` withdraws take their row with them.

Read in this order: histogram, summary, details, table, fingerprints, scan.
"""

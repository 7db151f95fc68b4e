"""Read-only queries: answers, progress and statistics of batches.

Read in this order: answers, lines, guard (`query` and `--where`), sql and allowed (what
these may contain), zones, progress, searches, stats, health, metrics.
"""

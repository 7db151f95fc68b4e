"""Read-only queries: answers, progress and statistics of batches.

Read in this order: answers, selection, lines, extras, guard (`query` and `--where`), sql, members,
allowed (what these may contain), zones, progress, searches, stats, health, metrics.
"""

"""Read-only queries: answers, progress and statistics of batches.

Read in this order: answers, lines, extras, guard (`query` and `--where`), sql, members and
allowed (what these may contain), zones, progress, searches, stats, groups, health, metrics.
"""

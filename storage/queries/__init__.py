"""Read-only queries: answers, progress and statistics of batches.

Read in this order: answers, lines, filters and guard (`--where`), zones, statement (`query`),
progress, searches, workers, stats, distributions, health, integrity.
"""

"""Read-only queries: answers, progress and statistics of batches.

Read in this order: answers, filters and guard (`--where`), progress, workers, stats,
distributions, health, reuse.
"""

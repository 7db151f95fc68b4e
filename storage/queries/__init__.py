"""Read-only queries: answers, progress and statistics of batches.

Read in this order: answers, filters and guard (`--where`), progress, stats, distributions,
health, reuse.
"""

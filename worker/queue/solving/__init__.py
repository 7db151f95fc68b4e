"""One delivery of a chunk: lease it, solve its puzzles, store their answers, survive a deadly one.

Read in this order: attempt, leased_chunk, chunk; then watchdog, quarantine.
"""

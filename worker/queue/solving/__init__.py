"""One delivery of a chunk: lease it, solve its puzzles, store their answers, survive a deadly one.

Read in this order: attempt, leased_chunk, solver; then how one search is divided: turn,
leased_part, pieces, policy, incumbent; then what both use: context, interruptions, watchdog,
quarantine, succession.
"""

"""Files become a batch: puzzles are spooled, cut into chunks, and stored in short transactions.

Read in this order: origins, spool, chunks, submit.
"""

"""The database with many answers: what storing, asking, exporting and reusing take.

Read in this order: figures, filling, queries, tables, plot, upgrade.
"""

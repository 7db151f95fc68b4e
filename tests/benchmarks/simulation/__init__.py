"""A simulation of one search on many processes, on recorded search trees.

Read in this order: trees, walk, transactions, model, tables; then real and validation, which
compare it with real searches.
"""

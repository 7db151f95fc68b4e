"""A search in parts: it can stop anywhere, be divided, and be continued by any process.

Read in this order: frontier, path, part_search.
"""

"""Ways to find cheap covers that prove nothing: local search, and multipliers that are pushed.

Read in this order: best, walk, neighbourhood, local, approximation.
"""

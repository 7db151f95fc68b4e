"""The number of covers of a problem, counted without listing them.

Read in this order: order, numbers, table, memo, entries, ways, count.
"""

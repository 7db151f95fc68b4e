"""The number of covers of a problem, counted without listing them, and the cheapest of them.

Read in this order: order, numbers, table, diagram, search, ways, race, from_diagram, count.
"""

"""The cheapest cover where options have few others in common: one option after the other goes.

Read in this order: order, plan, tables, eliminate.
"""

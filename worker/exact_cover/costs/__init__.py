"""The cheapest covers: multipliers, and rounds of search below the bound that they prove.

Read in this order: dual, neighbourhood, rounds, cheapest.
"""

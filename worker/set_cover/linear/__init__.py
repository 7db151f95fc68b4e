"""The linear relaxation: multipliers that prove its bound, by the dual simplex method.

Read in this order: basis, pivot, exchange, simplex, stack.
"""

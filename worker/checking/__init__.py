"""Checks what the solver returns before it is stored, by code that shares nothing with the solver.

Read in this order: grids, covers, outcomes, symmetry, facts.
"""

"""Proofs of answers, and the program that checks them without the solver.

Read in this order: check (needs the standard library only), tables, branches, guide, write.
"""

"""Estimates how large a search is before it is done, from random samples of its search tree.

Read in this order: ranges, remaining, sample, sampling, short, estimate.
"""

"""Detects the format of an input from its first lines, or rejects the input with the reason.

Read in this order: sample, detect; then the formats: notations and grids, with alphabets.
"""

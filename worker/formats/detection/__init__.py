"""Detects the format of an input from its first lines, or rejects it with the reason.

Read in this order: sample, detect, covers, grids, alphabets, rejections.
"""

"""Turns the bytes of a file into numbered lines: decompressed, decoded, and in constant memory.

Read in this order: content, text, npy, arrow, cleaning.
"""

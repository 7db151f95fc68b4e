"""Turns the bytes of a file into numbered lines: decompressed, decoded, and in constant memory.

Read in this order: address, content, text, html, sheets, npy, arrow, cleaning.
"""

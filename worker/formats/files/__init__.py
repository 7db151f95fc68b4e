"""Turns the bytes of a file into numbered lines: decompressed, decoded, and in constant memory.

Read in this order: stream, content, text, compressed, npy, sections, markup, blanks.
"""

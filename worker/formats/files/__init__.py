"""Turns the bytes of a file into numbered lines: decompressed, decoded, and in constant memory.

Read in this order: stream, content, text, utf16, compressed, npy, sections, markup, blanks.
"""

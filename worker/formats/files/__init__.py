"""A file's bytes become numbered lines: unpacked, decoded, and in constant memory.

Read in this order: text, compressed, npy, sections.
"""

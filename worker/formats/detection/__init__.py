"""Detects the format of an input from its first lines, or rejects it with the reason.

Read in this order: sample, candidate, detect; then what matches: structured, covers, lines, rows,
with alphabets; and rejections.
"""

"""Copies existing answers for puzzles that are submitted again (`--reuse`).

Read in this order: temporary (tables), finding, classes (of equivalent puzzles), copying.
"""

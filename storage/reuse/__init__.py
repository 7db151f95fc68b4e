"""Copies existing answers for puzzles that are submitted again (`--reuse`).

Read in this order: finding, copying.
"""

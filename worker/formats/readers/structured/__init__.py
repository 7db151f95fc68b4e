"""Reads values with a notation of their own: JSON, lists of lists, and XML.

Read in this order: jsonl, literals, list_rows, nested; then opensudoku.
"""

"""Turns lines into puzzles, with one reader for each format.

Read in this order: lines and rows, with columns, tables, words and solutions; covers, judge,
published and mps; then the values of JSON, Python and XML: objects, list_rows, nested, opensudoku.
"""

"""Turns lines into puzzles, with one reader for each format.

Read in this order: lines and rows, with columns, words and solutions; matrix, dlx, judge_problems;
then the values of JSON, Python and XML: objects, literals, list_rows, nested, opensudoku.
"""

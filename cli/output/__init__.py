"""Answers as tables, files and judge output.

Read in this order: row (one answer), answers (from the database), formats (which one),
destination (stdout or file), writers, then the writers themselves: text, table, template,
parquet, judge.
"""

"""Answers as tables, files and judge output.

Read in this order: answers (from the database), formats (which one), destination (stdout or file),
writers, then the writers themselves: rows and parquet (of any columns), table and text.
"""

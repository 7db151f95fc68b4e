"""Answers as tables, files and judge output.

Read in this order: answers (from the database), destination (in which format, to stdout or a file),
writers, then the writers themselves: rows (of any columns), excel, table and text.  shapes
and equivalents have what data sets want instead of the stored grids, and besides them.
"""

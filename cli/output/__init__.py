"""Answers as tables, files and judge output.

Read in this order: symbols (of the grids of answers), answers (from the database), formats
(which one), destination (stdout or file), writers, then the writers themselves: rows,
listing and parquet (of any columns), table, text, template and judge (of answers); exports
(what `export` and `archive` print).
"""

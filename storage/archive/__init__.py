"""Reads answers of archived batches, which are in Parquet files in place of the database.

Read in this order: catalogue (which files have the answers of a batch), attach (makes them readable
where a query needs them), texts (what a query yields as text), arrow (rows as Arrow tables),
reading (those of such texts), loading (files into temporary tables).  arrow and reading need
pyarrow, and loading DuckDB as well.
"""

"""Reads answers of archived batches, which are in Parquet files in place of the database.

Read in this order: catalogue (which files have the answers of a batch, and where queries need
them), arrow (rows, or texts of lines, as Arrow tables), loading (files into temporary tables).
arrow needs pyarrow, and loading DuckDB as well.
"""

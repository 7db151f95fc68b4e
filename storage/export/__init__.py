"""Finished batches become Parquet files, which may take the place of their rows.

Read in this order: files (written from the database, and compared with it), archiving (a batch is
exported, or archived), parts (that share no class of puzzles).  They need pyarrow;
`storage.archive` reads archived answers.
"""

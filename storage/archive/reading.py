"""Rows of the database as Arrow tables, which are parsed from lines of text."""

from collections.abc import Generator
from contextlib import closing

import pyarrow as pa
from pyarrow import csv

from storage.archive import arrow
from storage.errors import StorageError


def row_groups(lines: Generator[bytes], separator: str, schema: pa.Schema) -> Generator[pa.Table]:
    """Yield the rows of texts of lines as a table of these types for each row group.

    The `separator` is between two values; an empty text is in quotes, and null is not.  Raises
    StorageError.
    """
    try:
        with closing(lines):
            yield from arrow.groups(_parsed(text, separator, schema) for text in lines)
    except (OSError, pa.ArrowException) as error:  # such as a text in a column of numbers
        raise StorageError(f"the answers cannot be read ({error})") from error


def _parsed(text: bytes, separator: str, schema: pa.Schema) -> pa.Table:
    return csv.read_csv(
        pa.BufferReader(text),
        csv.ReadOptions(use_threads=False, block_size=len(text), column_names=schema.names),
        csv.ParseOptions(delimiter=separator, newlines_in_values=True, ignore_empty_lines=False),
        csv.ConvertOptions(
            column_types=schema,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )

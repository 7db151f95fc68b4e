"""Arrow tables of rows or of texts of lines, and the checksum of their values."""

import hashlib
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import islice, repeat
from pathlib import Path
from typing import IO, Any

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv
from pyarrow.parquet import ParquetWriter

from storage.errors import BadQuery, StorageError
from storage.values import MAX_INTEGER
from storage.view import COLUMNS

#: the values of a row, in the order of its columns
Row = Sequence[Any]

_INT64 = (
    *("id", "batch", "position", "solutions", "score", "bound", "nodes", "line"),
    *("class", "grid_class", "automorphisms"),
)
_INT32 = ("size", "clues", "attempts", "placed", "candidates")
_INT8 = ("complete", "minimal", "depth", "backdoor")
#: the columns of the view `answers` that are not strings
_TYPES = {
    **dict.fromkeys(_INT64, pa.int64()),
    **dict.fromkeys(_INT32, pa.int32()),
    **dict.fromkeys(_INT8, pa.int8()),
    "ms": pa.float64(),
    "solved_at": pa.timestamp("ms", tz="UTC"),
}
_MEMBER_TYPES = {
    "integer": pa.int64(),
    "real": pa.float64(),
    "bool": pa.bool_(),
    "text": pa.string(),
    "cells": pa.list_(pa.int8()),
    "grids": pa.list_(pa.list_(pa.int8())),
}
#: the columns of the view `answers`
ANSWERS = pa.schema({name: _TYPES.get(name, pa.string()) for name in COLUMNS})
#: the columns of the table `solution`
SOLUTIONS = pa.schema(
    {"answer_id": pa.int64(), "rank": pa.int32(), "score": pa.int64(), "text": pa.string()}
)
#: rows that become Arrow arrays at a time; Python's objects for 1024 fit into a cache
ROWS_AT_A_TIME = 1024


#: columns with different values in most rows, for which a dictionary would be of no use
_VARYING = {
    *("id", "position", "answer_id", "puzzle", "solution", "nodes", "ms", "text"),
    *("class", "canonical"),
}
#: columns whose least and greatest value are of no use
_LONG = {"puzzle", "solution", "text", "canonical", "redundant"}
#: the limits of a row group, which is held in memory before it is written
ROWS_PER_GROUP, BYTES_PER_GROUP = 16_384, 16 << 20


def writer(out: Path | IO[bytes], schema: pa.Schema) -> ParquetWriter:
    """Return a writer to a file or a stream."""
    repeated = [name for name in schema.names if name not in _VARYING]
    bounded = [name for name in schema.names if name not in _LONG]
    return ParquetWriter(
        out, schema, compression="zstd", use_dictionary=repeated, write_statistics=bounded
    )


@contextmanager
def _one_type(column: str) -> Iterator[None]:
    """Raise BadQuery if the values of a column have several types."""
    try:
        yield
    except (pa.ArrowInvalid, pa.ArrowTypeError) as error:
        raise BadQuery(
            f"the column {column} has values of several types, which Parquet cannot store",
            "convert them with CAST, or use -f csv",
        ) from error


def of_answers(columns: Sequence[str], members: Mapping[str, str] | None = None) -> pa.Schema:
    """Return the types of some columns of the view `answers`, and of `members` of `extra`.

    The type of a member is integer, real, bool or text, which is also that of members without one;
    that of a column may be cells, or grids: lists of numbers, or of such lists.
    """
    known = members or {}
    own = {name: (name, _MEMBER_TYPES[known.get(name, "text")]) for name in columns}
    are_stored = {*COLUMNS} - known.keys()
    return pa.schema([ANSWERS.field(name) if name in are_stored else own[name] for name in columns])


def inferred(columns: Sequence[str], rows: Sequence[Row]) -> pa.Schema:
    """Return the types of the values of rows, text for columns without values; raise BadQuery."""
    fields = []
    for name, column in zip(columns, zip(*rows, strict=True) if rows else repeat(()), strict=False):
        with _one_type(name):
            type_ = pa.infer_type(column)
        fields.append((name, pa.string() if pa.types.is_null(type_) else type_))
    return pa.schema(fields)


def tables(rows: Iterable[Row], schema: pa.Schema = ANSWERS) -> Generator[pa.Table]:
    """Yield rows as tables of ROWS_AT_A_TIME.

    Times are UTC text such as `2026-11-21T01:04:29.321Z`.  Raises BadQuery.
    """
    each = iter(rows)
    while some := list(islice(each, ROWS_AT_A_TIME)):
        yield table(zip(*some, strict=True), schema)


def groups(found: Iterable[pa.Table]) -> Generator[pa.Table]:
    """Yield the rows of tables as a table for each row group.

    A group has ROWS_PER_GROUP rows, or fewer if it exceeds BYTES_PER_GROUP.
    """
    parts, number, memory = list[pa.Table](), 0, 0
    for one in found:
        rest = one
        while rest.num_rows:
            parts.append(rest.slice(0, ROWS_PER_GROUP - number))
            rest = rest.slice(parts[-1].num_rows)
            number, memory = number + parts[-1].num_rows, memory + parts[-1].nbytes
            if number == ROWS_PER_GROUP or memory > BYTES_PER_GROUP:
                yield pa.concat_tables(parts)
                parts, number, memory = [], 0, 0
    if parts:
        yield pa.concat_tables(parts)


def row_groups(
    texts: Iterable[bytes], separator: str, schema: pa.Schema, *, ahead: bool = True
) -> Generator[pa.Table]:
    """Yield the rows in texts of lines as a table for each row group.

    The `separator` is between two values; an empty text is in quotes, and null is not.  A thread
    reads one group `ahead`; Ctrl-C does not interrupt what it waits for.  Raises StorageError.
    """
    each = groups(_parsed(text, separator, schema) for text in texts)
    try:
        with closing(_ahead(each) if ahead else each) as found:
            yield from found
    except (OSError, pa.ArrowException) as error:  # such as a text in a column of numbers
        raise StorageError(f"the answers cannot be read ({error})") from error


def _ahead(values: Generator[pa.Table]) -> Generator[pa.Table]:
    """Yield the same values; another thread computes the next one meanwhile."""
    with closing(values), ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, values, None)
        while (value := coming.result()) is not None:
            coming = thread.submit(next, values, None)
            yield value


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


class RowReader:
    """The rows of tables, which are taken in any numbers."""

    def __init__(self, found: Iterator[pa.Table], schema: pa.Schema) -> None:
        self._found = found
        self._rest = schema.empty_table()

    def take(self, number: int) -> pa.Table:
        """Return the next rows, fewer than `number` only if there are no more."""
        parts = [self._rest]
        missing = number - self._rest.num_rows
        while missing > 0 and (part := next(self._found, None)):
            parts.append(part)
            missing -= part.num_rows
        whole = pa.concat_tables(parts)
        self._rest = whole.slice(number)
        return whole.slice(0, number)


def table(columns: Iterable[Sequence[Any]], schema: pa.Schema) -> pa.Table:
    """Return columns of values as a table; raise BadQuery."""
    arrays = []
    for column, field in zip(columns, schema, strict=True):
        with _one_type(field.name):
            arrays.append(_array(column, field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(column: Sequence[Any], type_: pa.DataType) -> pa.Array:
    if pa.types.is_timestamp(type_):
        return pa.array(column, pa.string()).cast(type_)
    try:
        return pa.array(column, type_)
    except OverflowError:  # a number of solutions, which is also in `solutions_text`
        return pa.array([n if n is None or n <= MAX_INTEGER else None for n in column], type_)


def text_of(texts: pa.StringArray) -> pa.Buffer:
    """Return texts, none of which is null, as one."""
    _, offsets, text = texts.buffers()
    if text is None or not len(texts):
        return pa.py_buffer(b"")
    ends = memoryview(offsets).cast("i")
    return text[ends[texts.offset] : ends[texts.offset + len(texts)]]


def values(column: pa.ChunkedArray) -> list[Any]:
    """Return the values of a column as the database has them, with times as UTC text."""
    if pa.types.is_timestamp(column.type):
        column = pc.strftime(column.cast(_TYPES["solved_at"]), "%Y-%m-%dT%H:%M:%SZ")
    found: list[Any] = column.to_pylist()
    return found


class Checksum:
    """The SHA-256 of the values of tables, for each table column by column."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self.rows = 0  #: of all tables

    def add(self, found: pa.Table) -> None:
        """Add the values of the next table."""
        self.rows += found.num_rows
        for column in found.columns:
            self._hash.update(pc.is_valid(column).cast(pa.uint8()).to_numpy())
            known = column.drop_null()
            if not pa.types.is_string(known.type):
                self._hash.update(known.to_numpy())
                continue
            self._hash.update(pc.binary_length(known).to_numpy())
            for texts in known.chunks:
                self._hash.update(text_of(texts))

    def hexdigest(self) -> str:
        """Return the checksum so far."""
        return self._hash.hexdigest()

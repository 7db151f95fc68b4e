"""Turns Parquet and Arrow files into lines of CSV, which are then read like those of any file.

Lists of the cells of a grid become texts.  The file is copied, since its index is at its end.
"""

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv
from pyarrow import ipc
from pyarrow.parquet import ParquetFile, RowGroupMetaData

from worker.formats.errors import FormatError, excerpt
from worker.formats.files import text
from worker.formats.files.text import Readable, TextBlock
from worker.sudoku.symbols import SIDES, SYMBOLS

#: the first bytes of Parquet and Arrow files; a stream of Arrow has others
PARQUET_MAGIC, FILE_MAGIC = b"PAR1", b"ARROW1"
#: rows that become text at a time
ROWS_AT_A_TIME = 4096
#: greatest size that a row group of Parquet may declare; it is held in memory
MAX_GROUP_BYTES = 1 << 30
#: greatest size of the texts of a column in the rows that become text at a time
MAX_TEXT_BYTES = 64 << 20


def blocks(start: bytes, rest: Readable) -> Iterator[TextBlock]:
    """Yield a line with the names of the columns, and one for each row.

    Raises FormatError if the file is damaged.
    """
    with tempfile.TemporaryFile(prefix="bullseye-") as copy:
        shutil.copyfileobj(text.rewound(start, rest), copy)
        copy.seek(0)
        first = 1
        try:
            for table in _tables(copy, start):
                data = _csv(table, header=first == 1)
                block = TextBlock(first, data, data.count(b"\n"))
                yield block
                first += block.ends
        except (pa.ArrowException, OSError) as error:
            reason = str(error).partition("\n")[0]
            what = f"cannot be read as Parquet or Arrow ({excerpt(reason)})"
            raise FormatError(what, remedy="copy or download it again") from error


def _tables(copy: BinaryIO, start: bytes) -> Iterator[pa.Table]:
    if start.startswith(PARQUET_MAGIC):
        yield from _groups(copy)
        return
    if start.startswith(FILE_MAGIC):
        arrays = ipc.open_file(copy)
        batches = map(arrays.get_batch, range(arrays.num_record_batches))
    else:
        batches = iter(ipc.open_stream(copy))
    for batch in batches:
        whole, rows = pa.Table.from_batches([batch]), _rows_at_a_time(batch)
        for at in range(0, whole.num_rows, rows):
            yield whole.slice(at, rows)


def _groups(copy: BinaryIO) -> Iterator[pa.Table]:
    """Yield the rows of Parquet, fewer at a time where texts that are stored once are long."""
    file = ParquetFile(copy)
    leaves = [file.schema.column(at) for at in range(len(file.schema))]
    texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
    shared = ParquetFile(copy, read_dictionary=texts)
    for group in range(file.num_row_groups):
        if _group_bytes(file.metadata.row_group(group)) > MAX_GROUP_BYTES:
            what = f"has a row group of more than {MAX_GROUP_BYTES:,} bytes"
            raise FormatError(what, remedy="write it again with smaller row groups")
        firsts = islice(shared.iter_batches(1, row_groups=[group], columns=texts), 1)
        rows = _rows_at_a_time([column for first in firsts for column in first])
        for batch in file.iter_batches(rows, row_groups=[group]):
            yield pa.Table.from_batches([batch])


def _group_bytes(group: RowGroupMetaData) -> int:
    """Return the bytes of a row group, at least one for each value: runs take none in the file."""
    values: int = sum(group.column(at).num_values for at in range(group.num_columns))
    size: int = group.total_byte_size
    return max(size, values)


def _rows_at_a_time(columns: Iterable[pa.Array]) -> int:
    longest = max(map(_longest, columns), default=0)
    if longest > text.MAX_LINE_BYTES:
        what = f"has a text of more than {text.MAX_LINE_BYTES:,} bytes"
        raise FormatError(what, remedy="write a puzzle in each row")
    return min(ROWS_AT_A_TIME, MAX_TEXT_BYTES // max(1, longest))


def _longest(column: pa.Array) -> int:
    """Return the length of the longest text in a column's dictionary; 0 if it has none."""
    while pa.types.is_list(column.type) or pa.types.is_large_list(column.type):
        column = column.values
    if not pa.types.is_dictionary(column.type):
        return 0
    texts: list[str | bytes] = column.dictionary.drop_null().to_pylist()
    return max((len(text) for text in texts), default=0)


def _csv(table: pa.Table, *, header: bool) -> bytes:
    names = io.StringIO()
    if header:
        one_line = [" ".join(name.split()) for name in table.column_names]
        csv.writer(names, lineterminator="\n").writerow(one_line)
    rows = _rows(table, as_they_are=True)
    if rows.count(b"\n") != table.num_rows or b"\r" in rows:
        rows = _rows(table, as_they_are=False)
    return names.getvalue().encode() + rows


def _rows(table: pa.Table, *, as_they_are: bool) -> bytes:
    """Return the rows as CSV; texts may have several lines if they stay `as_they_are`."""
    columns = [_as_text(column, as_it_is=as_they_are) for column in table.columns]
    texts = pa.Table.from_arrays(columns, names=table.column_names)
    try:  # without quotes, grids are read in a tenth of the time
        return _written(texts, "none")
    except pa.ArrowInvalid:  # a text has a quote or a comma
        return _written(texts, "needed")


def _written(table: pa.Table, quoting: str) -> bytes:
    out = io.BytesIO()
    options = pa.csv.WriteOptions(include_header=False, quoting_style=quoting)
    pa.csv.write_csv(table, out, options)
    return out.getvalue()


def _as_text(column: pa.ChunkedArray, *, as_it_is: bool) -> pa.ChunkedArray:
    """Return a column whose values are texts, numbers, or null; texts of one line if asked."""
    type_ = column.type
    if pa.types.is_primitive(type_):  # numbers, booleans and times
        return column
    if as_it_is and pa.types.is_string(type_):
        return column
    return pa.chunked_array([pa.array(map(_text_of, column.to_pylist()), pa.string())])


def _text_of(value: object) -> str | None:
    """Return a value as one line of text: lists of the cells of a grid are joined.

    >>> _text_of([[1, 0, 2, 3]] * 4), _text_of(["1..4"] * 4), _text_of([0.5, 2]), _text_of(None)
    ('1.231.231.231.23', '1..41..41..41..4', '[0.5, 2]', None)
    """
    if value is None:
        return None
    if isinstance(value, list) and len(cells := _joined(value)) in SIDES:
        return cells
    if isinstance(value, list | dict):
        return json.dumps(value, default=str, ensure_ascii=False)
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    return text.one_line(str(value))


def _joined(value: object) -> str:
    """Return the cells of nested lists; what cannot be a cell becomes a text of its own length."""
    if isinstance(value, list):
        return "".join(map(_joined, value))
    if value is None:
        return SYMBOLS[0]
    if isinstance(value, int) and 0 <= value < len(SYMBOLS):
        return SYMBOLS[value]
    return str(value)

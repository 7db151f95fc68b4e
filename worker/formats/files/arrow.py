"""Turns Parquet and Arrow files into lines of CSV, which are then read like those of any file.

Lists of the cells of a grid become texts.  The file is copied, since its index is at its end.
"""

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
from pyarrow import ipc
from pyarrow.parquet import ParquetFile

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
                yield TextBlock(first, data, data.count(b"\n"))
                first += data.count(b"\n")
        except (pa.ArrowException, OSError) as error:
            reason = str(error).partition("\n")[0]
            what = f"cannot be read as Parquet or Arrow ({excerpt(reason)})"
            raise FormatError(what, remedy="copy or download it again") from error


def _tables(copy: BinaryIO, start: bytes) -> Iterator[pa.Table]:
    if start.startswith(PARQUET_MAGIC):
        file = ParquetFile(copy)
        for group in range(file.num_row_groups):
            if file.metadata.row_group(group).total_byte_size > MAX_GROUP_BYTES:
                raise FormatError(
                    f"has a row group of more than {MAX_GROUP_BYTES:,} bytes",
                    remedy="write it again with smaller row groups",
                )
        for batch in file.iter_batches(ROWS_AT_A_TIME):
            yield pa.Table.from_batches([batch])
        return
    if start.startswith(FILE_MAGIC):
        arrays = ipc.open_file(copy)
        batches = map(arrays.get_batch, range(arrays.num_record_batches))
    else:
        batches = iter(ipc.open_stream(copy))
    for batch in batches:
        whole = pa.Table.from_batches([batch])
        for at in range(0, whole.num_rows, ROWS_AT_A_TIME):
            yield whole.slice(at, ROWS_AT_A_TIME)


def _csv(table: pa.Table, *, header: bool) -> bytes:
    columns = pa.Table.from_arrays(list(map(_as_text, table.columns)), names=table.column_names)
    names = io.StringIO()
    if header:
        one_line = [" ".join(name.split()) for name in table.column_names]
        csv.writer(names, lineterminator="\n").writerow(one_line)
    try:  # without quotes, grids are read in a tenth of the time
        return names.getvalue().encode() + _written(columns, "none")
    except pa.ArrowInvalid:  # a text has a quote or a comma
        return names.getvalue().encode() + _written(columns, "needed")


def _written(table: pa.Table, quoting: str) -> bytes:
    out = io.BytesIO()
    options = pa.csv.WriteOptions(include_header=False, quoting_style=quoting)
    pa.csv.write_csv(table, out, options)
    return out.getvalue()


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column whose values are texts of one line, numbers, or null."""
    type_ = column.type
    if pa.types.is_primitive(type_):  # numbers, booleans and times
        return column
    if pa.types.is_string(type_) and not pc.any(pc.match_substring_regex(column, "[\r\n]")).as_py():
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

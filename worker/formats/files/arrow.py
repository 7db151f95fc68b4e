"""Turns Parquet and Arrow files into lines of CSV, which are then read like those of any file.

Lists of the cells of a grid become texts.  The file is copied, since its index is at its end.
"""

import io
import shutil
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv, ipc
from pyarrow.parquet import ParquetFile

from worker.formats.errors import FormatError, excerpt
from worker.formats.files import text
from worker.formats.files.text import Readable, TextBlock
from worker.sudoku.symbols import SIDES, SYMBOLS

#: the first bytes of a Parquet file; those of Arrow are `ARROW1`
PARQUET_MAGIC = b"PAR1"
#: rows that become text at a time
ROWS_AT_A_TIME = 4096
#: line ends inside a value, which would end the line
LINE_ENDS = "[\r\n]+"


def blocks(start: bytes, rest: Readable) -> Iterator[TextBlock]:
    """Yield a line with the names of the columns, and one for each row.

    Raises FormatError if the file is damaged.
    """
    with tempfile.TemporaryFile(prefix="bullseye-") as copy:
        shutil.copyfileobj(text.rewound(start, rest), copy)
        copy.seek(0)
        first = 1
        try:
            for table in _tables(copy, is_parquet=start.startswith(PARQUET_MAGIC)):
                data = _csv(table, header=first == 1)
                yield TextBlock(first, data, data.count(b"\n"))
                first += data.count(b"\n")
        except (pa.ArrowException, OSError) as error:
            reason = str(error).partition("\n")[0]
            what = f"cannot be read as Parquet or Arrow ({excerpt(reason)})"
            raise FormatError(what, remedy="copy or download it again") from error


def _tables(copy: BinaryIO, *, is_parquet: bool) -> Iterator[pa.Table]:
    if is_parquet:
        for batch in ParquetFile(copy).iter_batches(ROWS_AT_A_TIME):
            yield pa.Table.from_batches([batch])
        return
    file = ipc.open_file(copy)
    for number in range(file.num_record_batches):
        whole = pa.Table.from_batches([file.get_batch(number)])
        for at in range(0, whole.num_rows, ROWS_AT_A_TIME):
            yield whole.slice(at, ROWS_AT_A_TIME)


def _csv(table: pa.Table, *, header: bool) -> bytes:
    columns = {name: _as_text(table.column(name)) for name in table.column_names}
    names = ",".join(columns) + "\n" if header else ""
    try:  # without quotes, grids are read in a twentieth of the time
        return names.encode() + _written(pa.table(columns), "none")
    except pa.ArrowInvalid:  # a text has a quote or a comma
        return names.encode() + _written(pa.table(columns), "needed")


def _written(table: pa.Table, quoting: str) -> bytes:
    out = io.BytesIO()
    csv.write_csv(table, out, csv.WriteOptions(include_header=False, quoting_style=quoting))
    return out.getvalue()


def _as_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column whose values are texts of one line, numbers, or null."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_list(column.type) or pa.types.is_fixed_size_list(column.type):
        return pa.chunked_array([pa.array(map(_joined, column.to_pylist()), pa.string())])
    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    if is_text and pc.any(pc.match_substring_regex(column, LINE_ENDS)).as_py():
        return pa.chunked_array([pa.array(map(_one_line, column.to_pylist()), pa.string())])
    return column


def _one_line(value: str | None) -> str | None:
    """Return a text without line ends: those between the rows of a grid are removed."""
    words = (value or "").split()
    return value and ("" if sum(map(len, words)) in SIDES else " ").join(words)


def _joined(value: object) -> str | None:
    """Return the cells of a list, or of a list of rows, as one text.

    >>> _joined([[1, 0], [None, 16]]), _joined(["1.", ".2"]), _joined(None)
    ('1..G', '1..2', None)
    """
    if isinstance(value, list):
        return "".join(_joined(one) or SYMBOLS[0] for one in value)
    if isinstance(value, int) and 0 <= value < len(SYMBOLS):
        return SYMBOLS[value]
    return None if value is None else str(value)

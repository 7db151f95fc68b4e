"""Rows as a Parquet file with typed columns, written one row group at a time."""

import importlib.util
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TextIO

from cli.errors import BadUsage
from cli.options import Flag
from cli.output.destination import COMPRESSIONS
from cli.output.row import COLUMNS
from cli.output.rows import Row
from cli.terminal import is_terminal
from storage.values import MAX_INTEGER

#: pyarrow's names of the types of columns that are not strings
ARROW_TYPES = {
    **dict.fromkeys(("id", "batch", "position", "solutions", "score", "bound", "nodes"), "int64"),
    **dict.fromkeys(("size", "clues", "attempts"), "int32"),
    "complete": "int8",
    "ms": "float64",
}


class GroupSize(NamedTuple):
    """The limits of a row group, which is held in memory before it is written."""

    rows: int
    characters: int  #: of text


GROUP_SIZE = GroupSize(rows=16_384, characters=16 << 20)


def check_parquet(output: str | None) -> None:
    """Raise BadUsage if pyarrow is missing, or the output is a terminal or compressed once more."""
    if importlib.util.find_spec("pyarrow") is None:
        raise BadUsage("Parquet output needs pyarrow: pip install 'bullseye[parquet]'")
    if output in {None, "-"} and is_terminal(sys.stdout):
        raise BadUsage(
            f"Parquet is a binary format; write it to a file with {Flag.OUTPUT} FILE.parquet"
        )
    if output and output.lower().endswith(COMPRESSIONS):
        raise BadUsage(f"Parquet is compressed by itself; write it with {Flag.OUTPUT} FILE.parquet")


def write_parquet(
    rows: Iterable[Row],
    out: TextIO,
    columns: Sequence[str] = COLUMNS,
    *,
    of_answers: bool = True,
    group_size: GroupSize = GROUP_SIZE,
) -> None:
    """Write rows with the types of the columns of `answers`; `solved_at` is a timestamp in UTC.

    Columns that are not `of_answers` get the types of their first values; BadUsage is raised if
    later values have other types.
    """
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    groups = _groups(rows, group_size)
    first = next(groups, [()] * len(columns))
    types = [_type(pyarrow, name) if of_answers else None for name in columns]
    started = _table(pyarrow, columns, types, first)
    with ParquetWriter(out.buffer, started.schema, compression="zstd") as writer:
        writer.write_table(started)
        for group in groups:
            writer.write_table(_table(pyarrow, columns, started.schema.types, group))


def _type(pyarrow: Any, name: str) -> Any:
    if name == "solved_at":
        return pyarrow.timestamp("ms", tz="UTC")
    return getattr(pyarrow, ARROW_TYPES.get(name, "string"))()


def _table(
    pyarrow: Any, columns: Sequence[str], types: Sequence[Any], values: Sequence[Sequence[Any]]
) -> Any:
    """Return columns of values as a table; types that are None are chosen by the values."""
    arrays = []
    for name, type_, column in zip(columns, types, values, strict=True):
        try:
            arrays.append(_array(pyarrow, type_, column))
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError, OverflowError):
            raise BadUsage(
                f"the column {name} has values of several types, which Parquet cannot store: "
                f"convert them with CAST, or use {Flag.FORMAT} csv"
            ) from None
    return pyarrow.Table.from_arrays(arrays, names=list(columns))


def _array(pyarrow: Any, type_: Any, column: Sequence[Any]) -> Any:
    if type_ is not None and pyarrow.types.is_timestamp(type_):
        column = [value and datetime.fromisoformat(value) for value in column]
    if type_ is not None and pyarrow.types.is_int64(type_):  # as in the view; see solutions_text
        column = [value if value is None or value <= MAX_INTEGER else None for value in column]
    made = pyarrow.array(column, type_)
    return made.cast(pyarrow.string()) if pyarrow.types.is_null(made.type) else made


def _groups(rows: Iterable[Row], size: GroupSize) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the columns of the rows of each group."""
    group: list[Row] = []
    characters = 0
    for row in rows:
        group.append(row)
        characters += sum(len(value) for value in row if type(value) is str)
        if len(group) == size.rows or characters > size.characters:
            yield list(zip(*group, strict=True))
            group, characters = [], 0
    if group:
        yield list(zip(*group, strict=True))

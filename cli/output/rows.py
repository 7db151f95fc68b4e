"""Rows of any columns as csv, tsv, json, jsonl, md or Parquet."""

import csv
import json
from codecs import StreamWriter, getwriter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from decimal import Decimal
from itertools import chain, islice
from json.encoder import encode_basestring
from math import isfinite
from typing import Any, TextIO

from cli.output.destination import binary
from storage.queries.extras import NO_MEMBERS
from storage.queries.lines import Form
from storage.view import COLUMNS, Json

#: the values of a row, in the order of its columns
Row = Sequence[Any]
#: the forms of answers for formats that do not need each value as Python's object
FORMS = {
    "csv": Form.CSV,
    "tsv": Form.TSV,
    "json": Form.JSON,
    "jsonl": Form.JSON,
    "parquet": Form.ARROW,
}
#: how a value is written as JSON, by its type
_JSON: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    float: lambda value: repr(value) if isfinite(value) else "null",
    str: encode_basestring,
    type(None): lambda _: "null",
    Json: str,
}


def write_csv(
    rows: Iterable[Row], out: TextIO, columns: Sequence[str] = COLUMNS, *, separator: str = ","
) -> None:
    """Write a header and the rows; null is empty."""
    writer = csv.writer(out, lineterminator="\n", delimiter=separator)
    writer.writerow(columns)
    writer.writerows(rows)


def write_jsonl(rows: Iterable[Row], out: TextIO, columns: Sequence[str] = COLUMNS) -> None:
    """Write a JSON object per line."""
    out.writelines(f"{row}\n" for row in _objects(rows, columns))


def write_json(rows: Iterable[Row], out: TextIO, columns: Sequence[str] = COLUMNS) -> None:
    """Write one JSON array with an object per line."""
    _write_array(_objects(rows, columns), out)


def _write_array(objects: Iterable[str], out: TextIO | StreamWriter) -> None:
    """Write texts of JSON objects as one array with an object per line."""
    before = "[\n"
    for one in objects:
        out.write(before + one)
        before = ",\n"
    out.write("[]\n" if before == "[\n" else "\n]\n")


def _objects(rows: Iterable[Row], columns: Sequence[str]) -> Iterator[str]:
    """Return rows as JSON objects; a format string takes a third of the time of `json.dumps`."""
    names = (json.dumps(name, ensure_ascii=False).replace("%", "%%") for name in columns)
    template = "{" + ", ".join(f"{name}: %s" for name in names) + "}"
    return (template % tuple([_JSON.get(type(v), _other)(v) for v in row]) for row in rows)


def _other(value: Any) -> str:
    """Return as JSON what only `query` reads: a decimal number, a blob, or a type of PostgreSQL."""
    if isinstance(value, Decimal) and value.is_finite():
        return str(value)
    text = value.hex() if isinstance(value, bytes) else value
    return json.dumps(text, default=str, ensure_ascii=False)


def write_texts(
    texts: Iterable[bytes], out: TextIO, output_format: str, columns: Sequence[str], *, ahead: bool
) -> None:
    """Write texts of lines with these columns in a format of FORMS.

    For Parquet `ahead` is that of `arrow.row_groups`.
    """
    if output_format == "parquet":
        from storage.archive import arrow

        schema = arrow.of_answers(columns)
        with closing(arrow.row_groups(texts, Form.ARROW.value, schema, ahead=ahead)) as groups:
            _write_groups(groups, out, schema)
        return
    with binary(out) as file:
        if output_format == "json":
            objects = (text.decode().rstrip("\n") for text in texts)
            _write_array((some.replace("\n", ",\n") for some in objects), getwriter("utf-8")(file))
            return
        if output_format != "jsonl":
            file.write((FORMS[output_format].value.join(columns) + "\n").encode())
        file.writelines(texts)


def write_parquet(
    rows: Iterable[Row],
    out: TextIO,
    columns: Sequence[str] = COLUMNS,
    *,
    members: Mapping[str, str] | None = NO_MEMBERS,
) -> None:
    """Write rows with the types of the columns of `answers`; `solved_at` is a timestamp in UTC.

    Those that are `members` of `extra` have their own types.  Without members (None), the columns
    are any, and get the types of their first values; BadQuery is raised if later values have other
    types.
    """
    from storage.archive import arrow

    each, first = iter(rows), list[Row]()
    if members is None:
        first = list(islice(each, arrow.ROWS_PER_GROUP))
        schema = arrow.inferred(columns, first)
    else:
        schema = arrow.of_answers(columns, members)
    _write_groups(arrow.groups(arrow.tables(chain(first, each), schema)), out, schema)


def _write_groups(groups: Iterable[Any], out: TextIO, schema: Any) -> None:
    from storage.archive import arrow

    with binary(out) as file, arrow.writer(file, schema) as writer:
        for group in groups:
            writer.write_table(group)


def write_markdown(rows: Iterable[Row], out: TextIO, columns: Sequence[str] = COLUMNS) -> None:
    """Write a table in Markdown; null is empty, and a line end in a cell becomes `<br>`."""
    for cells in chain([columns, ["---"] * len(columns)], rows):
        out.write("| " + " | ".join(map(_markdown_cell, cells)) + " |\n")


def _markdown_cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return "<br>".join(text.replace("\\", "\\\\").replace("|", "\\|").splitlines())

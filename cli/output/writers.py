"""The function that writes each output format."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TextIO

from sqlalchemy import Connection

from cli.output import judge, listing, parquet, rows, table, text
from cli.output.rows import Row
from cli.output.symbols import FileSymbols
from cli.output.template import write_template
from storage.batches import Batch
from storage.queries.lines import Form
from storage.values import COLUMNS, AnswerRow

#: writes answers: rows, or lines that the database has written
Writer = Callable[[Iterable[Any], TextIO], None]
#: writes rows, given the names of their columns
ColumnWriter = Callable[[Iterable[Row], TextIO, Sequence[str]], None]

#: the writers of COLUMN_FORMATS
COLUMN_WRITERS: dict[str, ColumnWriter] = {
    "table": listing.write_listing,
    "csv": rows.write_csv,
    "tsv": rows.write_tsv,
    "json": rows.write_json,
    "jsonl": rows.write_jsonl,
    "md": rows.write_markdown,
    "parquet": parquet.write_parquet,
}
_WRITERS: dict[str, Callable[..., None]] = {
    **COLUMN_WRITERS,
    "table": table.write_table,
    "lines": text.write_lines,
    "grid": text.write_grid,
}


def find_form(connection: Connection, output_format: str, batch: Batch | None) -> Form | None:
    """Return the form in which storage can read the answers of a batch, or of all.

    It is None for other formats, and if a grid is to be written in the symbols of its file.
    """
    form = rows.FORMS.get(output_format)
    return None if form is None or FileSymbols(connection).are_needed(batch) else form


def find_writer(
    output_format: str,
    batch: Batch | None,
    template: str | None = None,
    columns: Sequence[str] | None = None,
    form: Form | None = None,
) -> Writer:
    """Return the writer of a format; `judge` needs the batch for the layout of its input.

    With `form`, it writes texts of lines of that form, or Arrow tables, instead of rows.  With
    `columns` it writes only these, in this order; the format must be one of COLUMN_FORMATS.
    """
    if form is Form.ARROW:
        return partial(parquet.write_row_groups, columns=columns or COLUMNS)
    if form is not None:
        return partial(rows.write_texts, output_format=output_format, columns=columns or COLUMNS)
    if columns is not None:
        return partial(_write_columns, write=COLUMN_WRITERS[output_format], columns=columns)
    if template is not None:
        return partial(write_template, template=template)
    if output_format == "judge" and batch is not None:
        return partial(judge.write_judge, options=batch.options)
    return _WRITERS[output_format]


def find_row_writer(output_format: str) -> ColumnWriter:
    """Return the writer of one of COLUMN_FORMATS for rows whose columns may have any type."""
    if output_format == "parquet":
        return partial(parquet.write_parquet, of_answers=False)
    return COLUMN_WRITERS[output_format]


def _write_columns(
    answers: Iterable[AnswerRow], out: TextIO, write: ColumnWriter, columns: Sequence[str]
) -> None:
    places = [COLUMNS.index(name) for name in columns]
    write(([answer[place] for place in places] for answer in answers), out, columns)

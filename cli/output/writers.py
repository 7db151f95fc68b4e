"""The function that writes each output format."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TextIO

from cli.output import judge, listing, parquet, rows, table, text
from cli.output.row import COLUMNS, AnswerRow
from cli.output.rows import Row
from cli.output.template import write_template
from storage.batches import Batch

Writer = Callable[[Iterable[AnswerRow], TextIO], None]
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


def find_writer(
    output_format: str,
    batch: Batch | None,
    template: str | None = None,
    columns: Sequence[str] | None = None,
) -> Writer:
    """Return the writer of a format; `judge` needs the batch for the layout of its input.

    With `columns` it writes only these, in this order; the format must be one of COLUMN_FORMATS.
    """
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

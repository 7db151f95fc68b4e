"""The function that writes each output format."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TextIO

from cli.output import columns, judge, parquet, table, text
from cli.output.columns import Row
from cli.output.row import AnswerRow
from cli.output.template import write_template
from storage.batches import Batch

Writer = Callable[[Iterable[AnswerRow], TextIO], None]

#: formats of any columns, whose writers take the names of the columns
COLUMN_WRITERS: dict[str, Callable[[Iterable[Row], TextIO, Sequence[str]], None]] = {
    "csv": columns.write_csv,
    "tsv": columns.write_tsv,
    "json": columns.write_json,
    "jsonl": columns.write_jsonl,
    "md": columns.write_markdown,
    "parquet": parquet.write_parquet,
}
_WRITERS: dict[str, Callable[..., None]] = {
    **COLUMN_WRITERS,
    "table": table.write_table,
    "lines": text.write_lines,
    "grid": text.write_grid,
}


def find_writer(output_format: str, batch: Batch | None, template: str | None = None) -> Writer:
    """Return the writer of a format; `judge` needs the batch for the layout of its input."""
    if template is not None:
        return partial(write_template, template=template)
    if output_format == "judge" and batch is not None:
        return partial(judge.write_judge, options=batch.options)
    return _WRITERS[output_format]

"""The function that writes each output format."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TextIO

from cli.output import judge, parquet, table, text
from cli.output.row import AnswerRow
from cli.output.template import write_template
from storage.batches import Batch

Writer = Callable[[Iterable[AnswerRow], TextIO], None]

_WRITERS: dict[str, Writer] = {
    "table": table.write_table,
    "csv": text.write_csv,
    "jsonl": text.write_jsonl,
    "parquet": parquet.write_parquet,
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

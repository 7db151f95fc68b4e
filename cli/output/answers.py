"""From the database to the place that was asked for."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from typing import TextIO

from sqlalchemy import Connection

from cli.formatting import count
from cli.output.judge import UnfinishedBatch, write_judge
from cli.output.parquet import write_parquet
from cli.output.row import AnswerRow
from cli.output.table import write_table
from cli.output.template import write_template
from cli.output.text import write_csv, write_grid, write_jsonl, write_lines
from storage.batches import Batch
from storage.queries.answers import select_answers
from storage.queries.progress import read_progress

Write = Callable[[Iterable[AnswerRow], TextIO], None]

_WRITERS: dict[str, Write] = {
    "table": write_table,
    "csv": write_csv,
    "jsonl": write_jsonl,
    "parquet": write_parquet,
    "lines": write_lines,
    "grid": write_grid,
}


def writer(output_format: str, batch: Batch | None, template: str | None = None) -> Write:
    """Who writes this format; `judge` needs the batch, whose input it answers."""
    if template is not None:
        return partial(write_template, text=template)
    if output_format == "judge" and batch is not None:
        return partial(write_judge, options=batch.options)
    return _WRITERS[output_format]


def answers_of(connection: Connection, batch: Batch) -> Iterator[AnswerRow]:
    """All answers of a batch, in the order of its input."""
    return map(AnswerRow._make, select_answers(connection, batch=batch.id))


def begun(answers: Iterator[AnswerRow]) -> Iterator[AnswerRow]:
    """The same answers; what is wrong with the query is found now, before anything is written."""
    first = list(islice(answers, 1))
    return chain(first, answers)


def require_all(connection: Connection, batch: Batch) -> None:
    """Raise Unanswered if a puzzle of the batch has no answer yet."""
    answered = read_progress(connection, batch.id).answered
    if answered < batch.puzzles:
        raise UnfinishedBatch(
            f"a judge wants all answers, but batch {batch.id} has {count(answered)} of "
            f"{count(batch.puzzles)}: follow it with bullseye status -w {batch.id}"
        )

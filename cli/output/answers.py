"""Answers read from the database as rows, streamed in input order."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from sqlalchemy import Connection, Row

from cli.errors import CliError
from cli.formatting import count
from cli.output.row import AnswerRow
from cli.output.symbols import FileSymbols
from storage.batches import Batch
from storage.queries.answers import select_answers
from storage.queries.progress import read_progress


class UnfinishedBatch(CliError):
    """Some puzzles of a batch have no answer yet, but all are needed."""


def answers_of(connection: Connection, batch: Batch) -> Iterator[AnswerRow]:
    """Yield the answers of a batch in input order."""
    return rows_of(connection, select_answers(connection, batch=batch.id))


def rows_of(connection: Connection, found: Iterable[Row[Any]]) -> Iterator[AnswerRow]:
    """Yield rows of the view `answers` with grids in the symbols of their files."""
    return map(FileSymbols(connection).row, found)


def begin(answers: Iterator[AnswerRow]) -> Iterator[AnswerRow]:
    """Return the same answers after fetching the first, so that BadQuery is raised now."""
    first = list(islice(answers, 1))
    return chain(first, answers)


def require_all_answers(connection: Connection, batch: Batch) -> None:
    """Raise UnfinishedBatch if a puzzle of the batch has no answer yet."""
    answered = read_progress(connection, batch.id).answered
    if answered < batch.puzzles:
        raise UnfinishedBatch(
            f"judge output needs all answers, but batch {batch.id} has {count(answered)} of "
            f"{count(batch.puzzles)}: follow it with bullseye status -w {batch.id}"
        )

"""Answers read from the database as rows, streamed in input order."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Row

from cli.errors import CliError
from cli.formatting import count
from cli.output.symbols import FileSymbols
from storage.batches import Batch
from storage.queries.answers import find_answer, further_solutions, select_answers
from storage.queries.progress import read_progress
from storage.values import AnswerRow, Kept

T = TypeVar("T")


class UnfinishedBatch(CliError):
    """Some puzzles of a batch have no answer yet, but all are needed."""


def answers_of(connection: Connection, batch: Batch) -> Generator[AnswerRow]:
    """Yield the answers of a batch in input order; close it before the connection."""
    with closing(select_answers(connection, batch=batch.id)) as rows:
        yield from rows_of(connection, rows)


def rows_of(connection: Connection, found: Iterable[Row[Any]]) -> Iterator[AnswerRow]:
    """Yield rows of the view `answers` with grids in the symbols of their files."""
    return map(FileSymbols(connection).row, found)


def find_solutions(connection: Connection, puzzle_id: int) -> tuple[AnswerRow, list[Kept]]:
    """Return the answer to a puzzle and its further solutions, in the symbols of its file.

    Raises NoSuchPuzzle.
    """
    symbols = FileSymbols(connection)
    answer = symbols.row(find_answer(connection, puzzle_id))
    further = further_solutions(connection, puzzle_id)
    return answer, [kept._replace(text=symbols.grid(answer, kept.text)) for kept in further]


class Counted(Iterator[T]):
    """Rows that are counted while they are read."""

    def __init__(self, rows: Iterable[T]) -> None:
        self._rows = iter(rows)
        self.number = 0  #: rows that were read
        self.all_read = False

    def __next__(self) -> T:
        try:
            row = next(self._rows)
        except StopIteration:
            self.all_read = True
            raise
        self.number += 1
        return row


def begin(answers: Iterator[T]) -> Iterator[T]:
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

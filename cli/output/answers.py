"""Answers read from the database, with grids in the symbols of the files that they come from."""

from bisect import bisect_right
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from operator import itemgetter
from typing import Any, TypeVar

import click
from sqlalchemy import Connection

from cli.errors import CliError
from cli.formatting import count
from cli.streams import notify
from storage import batches
from storage.batches import Batch
from storage.queries import answers as queries
from storage.queries.progress import read_progress
from storage.values import BatchKey, Kept
from storage.view import AnswerRow
from worker.formats.layout import Layout

T = TypeVar("T")


class FileSymbols:
    """Converts grids to the symbols of their files, for the answers of a batch, or of any.

    An empty cell is always `.`; texts that are not grids are left as they are.  All that is needed
    of the database is read at once, since queries of users hide its tables while they run.
    """

    def __init__(self, connection: Connection, batch: Batch | None) -> None:
        some = batches.newest(connection) if batch is None else [batch]
        found = {one.id: _own_inputs(one) for one in some}
        self._inputs = {id_: inputs for id_, inputs in found.items() if inputs}

    @property
    def are_needed(self) -> bool:
        """Whether an input has symbols of its own."""
        return bool(self._inputs)

    def rows(self, answers: Generator[AnswerRow]) -> Generator[AnswerRow]:
        """Yield answers with their grids in these symbols; close their generator."""
        with closing(answers):
            yield from map(self.row, answers)

    def row(self, answer: AnswerRow) -> AnswerRow:
        """Return an answer with its grids in the symbols of their file."""
        if answer.batch not in self._inputs:
            return answer
        solution = answer.solution and self.grid(answer, answer.solution)
        return answer._replace(puzzle=self.grid(answer, answer.puzzle), solution=solution)

    def grid(self, answer: AnswerRow, text: str) -> str:
        """Return a stored grid, such as a solution of this answer, in the symbols of its file."""
        inputs = self._inputs.get(answer.batch)
        if inputs is None or answer.kind == "cover" or answer.status == "invalid":
            return text
        at = bisect_right(inputs, answer.position, key=itemgetter(0)) - 1
        return inputs[at][1].in_symbols(text)


def _own_inputs(batch: Batch) -> list[tuple[int, Layout]]:
    """Return the first position and the layout of each input; none if no symbol differs."""
    stored = batch.options.get("inputs") or []
    inputs = [(source["first"], Layout.from_json(source["layout"])) for source in stored]
    return inputs if any(layout.has_own_symbols for _, layout in inputs) else []


def answers_of(connection: Connection, batch: Batch) -> Generator[AnswerRow]:
    """Return the answers of a batch in input order; close them before the connection."""
    found = queries.select_answers(connection, batch=batch.id)
    return FileSymbols(connection, batch).rows(found)


def find_solutions(connection: Connection, puzzle_id: int) -> tuple[AnswerRow, list[Kept]]:
    """Return an answer and its further solutions, in its symbols; raise NoSuchPuzzle."""
    answer = queries.find_answer(connection, puzzle_id)
    further = queries.further_solutions(connection, puzzle_id)
    symbols = FileSymbols(connection, batches.find(connection, answer.batch))
    kept = [one._replace(text=symbols.grid(answer, one.text)) for one in further]
    return symbols.row(answer), kept


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


def selected_batch(
    connection: Connection, key: BatchKey | None, *, for_judge: bool
) -> Batch | None:
    """Return a batch, None for all batches; judge output needs one that is complete.

    Without a number it is the only batch of the database.
    """
    if not for_judge:
        return None if key is None else batches.find(connection, key)
    found = batches.newest(connection, 2) if key is None else [batches.find(connection, key)]
    if len(found) != 1:
        raise click.UsageError("-f judge needs a batch: bullseye results BATCH -f judge.")
    (batch,) = found
    answered = read_progress(connection, batch.id).answered
    if answered < batch.puzzles:
        raise CliError(
            f"judge output needs all answers, but batch {batch.id} has {count(answered)} of "
            f"{count(batch.puzzles)}: follow it with bullseye status -w {batch.id}"
        )
    return batch


def report_count(connection: Connection, batch: Batch | None, shown: Counted[Any]) -> None:
    """Print on stderr how many answers were shown, unless all were, or the pager was quit."""
    stored = queries.count_answers(connection, batch=batch.id if batch else None)
    if not stored:
        whose = f"batch {batch.id} has" if batch else "the database has"
        notify(f"{whose} no answers yet")
    elif shown.all_read and shown.number < stored:
        notify(f"{count(shown.number)} of {count(stored, 'answer')}")

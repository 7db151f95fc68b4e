"""Stored grids in the symbols of the files that they were read from."""

from bisect import bisect_right
from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection

from storage import batches
from storage.batches import Batch
from storage.values import AnswerRow
from worker.formats.layout import Layout


class _Inputs(NamedTuple):
    """The inputs of a batch."""

    firsts: list[int]  #: the position of each input's first puzzle, ascending
    layouts: list[Layout]


class FileSymbols:
    """Converts grids to the symbols of their files, for the answers of any number of batches.

    An empty cell is always `.`; texts that are not grids are left as they are.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._inputs: dict[int, _Inputs | None] = {}

    def are_needed(self, batch: Batch | None) -> bool:
        """Return whether a batch, or any, has an input with symbols of its own."""
        some = batches.newest(self._connection) if batch is None else [batch]
        return any(_own_inputs(one) for one in some)

    def row(self, values: Iterable[Any]) -> AnswerRow:
        """Return a row of the view `answers` with its grids in the symbols of their file."""
        answer = AnswerRow.of(values)
        if self._inputs_of(answer.batch) is None:
            return answer
        solution = answer.solution and self.grid(answer, answer.solution)
        return answer._replace(puzzle=self.grid(answer, answer.puzzle), solution=solution)

    def grid(self, answer: AnswerRow, text: str) -> str:
        """Return a stored grid, such as a solution of this answer, in the symbols of its file."""
        inputs = self._inputs_of(answer.batch)
        if inputs is None or answer.kind == "cover" or answer.status == "invalid":
            return text
        at = bisect_right(inputs.firsts, answer.position) - 1
        return inputs.layouts[at].in_symbols(text)

    def _inputs_of(self, batch: int) -> _Inputs | None:
        """Return the inputs of a batch, or None if all have the symbols of the database."""
        if batch not in self._inputs:
            self._inputs[batch] = _own_inputs(batches.find(self._connection, batch))
        return self._inputs[batch]


def _own_inputs(batch: Batch) -> _Inputs | None:
    """Return the inputs of a batch, or None if all have the symbols of the database."""
    stored = batch.options.get("inputs") or []
    layouts = [Layout.from_json(source["layout"]) for source in stored]
    if not any(layout.has_own_symbols for layout in layouts):
        return None
    return _Inputs([source["first"] for source in stored], layouts)

"""A row of the view `answers`."""

from collections.abc import Iterable
from typing import Any, NamedTuple, Self


class Json(str):
    """A JSON text, which a JSON output contains as it is."""

    __slots__ = ()


class AnswerRow(NamedTuple):
    """The columns of the view `answers`, in its order; `of` converts a row of the database."""

    id: int
    batch: int
    position: int
    label: str | None
    kind: str
    size: int | None
    clues: int | None
    puzzle: str
    status: str
    solutions: int | None
    complete: int
    solution: str | None
    score: int | None
    bound: int | None
    nodes: int | None
    ms: float | None
    worker: str | None
    attempts: int
    solved_at: str
    detail: str | None
    batch_name: str | None
    solutions_text: str | None
    option_counts: str | None

    @classmethod
    def of(cls, values: Iterable[Any]) -> Self:
        """Return a row of the view, with the exact number of solutions if it exceeds 64 bits."""
        row = cls._make(values)
        if row.option_counts is not None:
            row = row._replace(option_counts=Json(row.option_counts))
        if row.solutions_text is None:
            return row
        return row._replace(solutions=int(row.solutions_text))


COLUMNS = AnswerRow._fields

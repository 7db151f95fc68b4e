"""A row of the view `answers`."""

from typing import NamedTuple


class AnswerRow(NamedTuple):
    """The columns of the view `answers`, in its order; `AnswerRow._make(row)` converts a row."""

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


COLUMNS = AnswerRow._fields

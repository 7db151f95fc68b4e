"""The rows of the view `answers`, and the names of its columns and of the members of `extra`."""

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, Self, get_args, get_type_hints


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
    extra: str | None  #: JSON: further columns or keys of the input
    source: str | None = None  #: the name of its input
    line: int | None = None  #: its first line there, or its row in a table or array
    class_: int | None = None  #: of the puzzle up to symmetry, with `--classes`
    canonical: str | None = None  #: the least text of the class
    grid_class: int | None = None  #: of the only solution
    automorphisms: int | None = None  #: arrangements that turn the puzzle into itself
    minimal: int | None = None  #: 1 if each clue is necessary, else 0, with `--facts`
    redundant: str | None = None  #: the clues that the others imply
    placed: int | None = None  #: cells that have a clue, or are filled by singles
    candidates: int | None = None  #: those of the other cells, after singles
    depth: int | None = None  #: of the trials that solve it
    backdoor: int | None = None  #: the fewest cells with which singles solve it

    @classmethod
    def of(cls, values: Iterable[Any]) -> Self:
        """Return a row of the view, with the exact number of solutions if it exceeds 64 bits."""
        row = cls._make(values)
        if row.option_counts is not None:
            row = row._replace(option_counts=Json(row.option_counts))
        if row.extra is not None:
            row = row._replace(extra=Json(row.extra))
        if row.solutions_text is None:
            return row
        return row._replace(solutions=int(row.solutions_text))

    def named(self) -> dict[str, Any]:
        """Return the values by the names of the columns."""
        return dict(zip(COLUMNS, self, strict=True))

    def value(self, name: str) -> Any:
        """Return the value of a column, or of a member of `extra`."""
        if not name.startswith(MEMBER):
            return self[COLUMNS.index(name)]
        return member(json.loads(self.extra or "{}").get(name.removeprefix(MEMBER)))


def member(value: Any) -> Any:
    """Return the value of a member of `extra` as that of a column: lists and objects are JSON."""
    return Json(json.dumps(value)) if isinstance(value, list | dict) else value


#: the columns of the view `answers`; their names and order are public
COLUMNS = tuple(name.removesuffix("_") for name in AnswerRow._fields)  # `class` is a keyword


def _of_type(type_: type) -> frozenset[str]:
    """Return the columns whose values are of this type, or null."""
    hints = get_type_hints(AnswerRow).items()
    return frozenset(
        name.removesuffix("_") for name, hint in hints if type_ in {hint, *get_args(hint)}
    )


#: the columns of text, and those of integers; that of real numbers is `ms`
TEXTS, INTEGERS = _of_type(str), _of_type(int)
#: the columns of answers whose classes were asked for (`--classes`)
OF_CLASSES = ("class", "canonical", "grid_class", "automorphisms")
#: the columns of answers whose facts were asked for (`--facts`)
OF_FACTS = ("minimal", "redundant", "placed", "candidates", "depth", "backdoor")
#: begins the name of a member of the column `extra`, as in `extra.rating`
MEMBER = "extra."
_MEMBER_NAME = re.compile(r"[^\"'%\\\0]+")


def is_column(name: str) -> bool:
    """Return whether this can be the name of a column, or of a member of `extra`.

    >>> is_column("ms"), is_column("extra.rating"), is_column("rating")
    (True, True, False)
    """
    is_member = name.startswith(MEMBER) and _MEMBER_NAME.fullmatch(name, len(MEMBER))
    return name in COLUMNS or bool(is_member)

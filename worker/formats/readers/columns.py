"""Files whose first line names their columns: CSV, TSV, and with `;` or `|` between."""

import csv
from dataclasses import dataclass
from typing import Self

from worker.formats.excerpt import MAX_LABEL, excerpt

#: names of the puzzle's column in the files of the public collections
PUZZLES = frozenset(
    {"puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "grid", "board", "unsolved"}
)
#: names of the known solution's
SOLUTIONS = frozenset({"solution", "solutions", "answer", "answers", "solved"})
#: names of the column that names the puzzle, the likeliest first
LABELS = ("label", "name", "title", "id")
#: what may stand between two columns
BETWEEN = ",\t;|"


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column holds what, by their places from 0."""

    names: tuple[str, ...]
    between: str
    puzzle: int
    solution: int | None = None
    label: tuple[int, ...] = ()  #: the one that names the puzzle; else all others, in their order
    ignored: tuple[int, ...] = ()

    @classmethod
    def of(cls, line: str) -> Self | None:
        """Those that a line names; None if it is no header of several columns.

        >>> Columns.of("id,puzzle,solution,clues").label
        (0,)
        >>> Columns.of("source;question;answer;rating").label
        (0, 3)
        """
        between = max(BETWEEN, key=line.count)
        if between not in line:
            return None
        names = tuple(name.strip() for name in _split(line, between))
        low = [name.lower() for name in names]
        puzzle = next((at for at, name in enumerate(low) if name in PUZZLES), None)
        if puzzle is None:
            return None
        solution = next((at for at, name in enumerate(low) if name in SOLUTIONS), None)
        others = [at for at, name in enumerate(low) if name and at not in {puzzle, solution}]
        label = next(([low.index(name)] for name in LABELS if name in low), others)
        ignored = tuple(at for at in others if at not in label)
        return cls(names, between, puzzle, solution, tuple(label), ignored)

    @staticmethod
    def looks_like(line: str) -> bool:
        """Whether this could be a header whose names we do not know."""
        return any(line.count(sign) for sign in BETWEEN) and not any(map(str.isdigit, line))

    def fields(self, line: str) -> list[str]:
        """What stands in each column; as many as there are names, at least."""
        quoted = '"' in line
        found = _split(line, self.between) if quoted else line.split(self.between)
        return found + [""] * (len(self.names) - len(found))

    @property
    def told(self) -> str:
        """Where the puzzle is looked for, for messages."""
        return f"column `{excerpt(self.names[self.puzzle])}`"

    def puzzle_of(self, fields: list[str]) -> str:
        """The grid as it is written there; its cells may stand apart."""
        return "".join(fields[self.puzzle].split()).replace("+", "")

    def solution_of(self, fields: list[str]) -> str | None:
        """The known solution as it is written there."""
        return None if self.solution is None else "".join(fields[self.solution].split())

    def label_of(self, fields: list[str]) -> str | None:
        """The puzzle's name."""
        words = [word for at in self.label if (word := fields[at].strip())]
        return excerpt(",".join(words))[:MAX_LABEL] or None


def _split(line: str, between: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=between, skipinitialspace=True), [])
    except csv.Error:  # a field beyond what it takes
        return line.split(between)

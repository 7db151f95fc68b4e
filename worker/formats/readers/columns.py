"""Files whose first line names their columns: CSV, TSV, and with `;` or `|` as separators."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from worker.formats import extras, variants
from worker.formats.errors import FormatError, label, quoted
from worker.formats.names import LABELS, NO_ROLES, PUZZLES, SOLUTIONS, Roles
from worker.formats.readers.words import unmarked

#: characters that separate columns
COLUMN_SEPARATORS = ",\t;|"
#: words in the name of a column, for a line to look like one that names columns
MAX_NAME_WORDS = 2
#: greatest number of columns that a message names
MAX_NAMES_QUOTED = 10


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file, by their indices from 0."""

    names: tuple[str, ...]
    separator: str
    puzzle: int
    solution: int | None = None
    label: tuple[int, ...] = ()  #: the column that names the puzzle, or else all others, in order
    extra: tuple[int, ...] = ()  #: all others, without the column that names the puzzle
    keys: tuple[str, ...] = ()  #: of `extra`, from `extras.key`
    variants: tuple[int, ...] = ()  #: columns that may say that a puzzle is no ordinary sudoku
    is_chosen: bool = False  #: the user has named the column of puzzles; others may have grids, too

    @classmethod
    def of(cls, line: str, roles: Roles = NO_ROLES) -> Self | None:
        """Return the columns that a line names, or None if it names no column of puzzles.

        Raises FormatError if a column was chosen that it does not name.

        >>> Columns.of("id,puzzle,solution,clues").label
        (0,)
        >>> Columns.of("source;question;answer;rating").label
        (0, 3)
        """
        separator = max(COLUMN_SEPARATORS, key=line.count)
        if separator not in line:
            return None
        names = tuple(name.strip() for name in _split(line, separator))
        lower = [name.lower() for name in names]
        for chosen in filter(None, roles):
            if chosen.lower() not in lower:
                remedy = f"its columns are {', '.join(map(quoted, names[:MAX_NAMES_QUOTED]))}"
                raise FormatError(f"has no column {quoted(chosen)}", remedy=remedy)
        of_puzzles = {roles.puzzle.lower()} if roles.puzzle else PUZZLES
        puzzle = next((at for at, name in enumerate(lower) if name in of_puzzles), None)
        if puzzle is None:
            return None
        solution = _first(lower, roles.solution, SOLUTIONS)
        others = [at for at, name in enumerate(lower) if name and at not in {puzzle, solution}]
        of_labels = _first(lower, roles.label, LABELS)
        labels = others if of_labels is None else [of_labels]
        extra = others if labels is others else [at for at in others if at not in labels]
        rules = tuple(at for at in others if variants.is_key(names[at]))
        keys = tuple(extras.key(names[at]) for at in extra)
        parts = (tuple(labels), tuple(extra), keys, rules, roles.puzzle is not None)
        return cls(names, separator, puzzle, solution, *parts)

    @staticmethod
    def looks_like(line: str) -> bool:
        """Return whether a line could name columns, in one or two words each without digits."""
        separator = max(COLUMN_SEPARATORS, key=line.count)
        names = line.split(separator)
        return (
            len(names) > 1
            and all(1 <= len(name.split()) <= MAX_NAME_WORDS for name in names)
            and not any(map(str.isdigit, line))
        )

    def fields(self, line: str) -> list[str]:
        """Return the fields of a line: at least one for each column, empty if it is missing."""
        quoted = '"' in line
        found = _split(line, self.separator) if quoted else line.split(self.separator)
        return found + [""] * (len(self.names) - len(found))

    def puzzle_of(self, fields: list[str]) -> str:
        """Return the grid in these fields, without spaces between its cells."""
        return unmarked("".join(fields[self.puzzle].split()))

    def solution_of(self, fields: list[str]) -> str:
        """Return the known solution in these fields, without spaces; empty if there is none."""
        return "" if self.solution is None else "".join(fields[self.solution].split())

    def others_of(self, fields: list[str]) -> str:
        """Return the fields that are neither the puzzle nor its solution, separated by spaces."""
        ours = {self.puzzle, self.solution}
        return " ".join(field for at, field in enumerate(fields) if at not in ours)

    def variant_of(self, fields: list[str]) -> str | None:
        """Return why the fields beside the puzzle make it no ordinary sudoku, or None."""
        if not self.variants:
            return None
        return variants.of_members((self.names[at], fields[at]) for at in self.variants)

    def label_of(self, fields: list[str]) -> str | None:
        """Return the puzzle's label: the fields of the label's columns, separated by commas."""
        words = [word for at in self.label if (word := fields[at].strip())]
        return label(",".join(words))

    def extra_of(self, fields: list[str], *, solved: bool) -> str | None:
        """Return the other fields, as `worker.formats.extras` does.

        The solution is one of them unless the puzzle is `solved` by it: it may be a word.
        """
        if solved or self.solution is None:
            return self._extra(self.keys, fields, self.extra)
        keys = (*self.keys, extras.key(self.names[self.solution]))
        return self._extra(keys, fields, (*self.extra, self.solution))

    @staticmethod
    def _extra(keys: Sequence[str], fields: list[str], places: Sequence[int]) -> str | None:
        return next(iter(extras.of_columns(keys, [[fields[at].strip()] for at in places])), None)


def _first(names: list[str], chosen: str | None, usual: Sequence[str]) -> int | None:
    """Return the place of the chosen name, or of the first usual one that occurs."""
    wanted = (chosen.lower(),) if chosen else usual
    return next((names.index(name) for name in wanted if name in names), None)


def _split(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    except csv.Error:  # a field of more than 131,072 characters
        return line.split(separator)

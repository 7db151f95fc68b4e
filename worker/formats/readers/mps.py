"""Reads MPS files whose rows are set rows: set partitioning, covering and packing.

A column is an option that is chosen or not, and costs what it has in the objective; a row is an
item.  All coefficients of rows are 1.  A row `E` with the right-hand side 1 is covered once, `G`
once or more, `L` at most once; other right-hand sides are multiplicities.  Fields are separated by
blanks.

Answers are written as MIPLIB's checker reads them: the objective, and the columns that are 1.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator

from storage.values import Kind, Status
from storage.view import AnswerRow
from worker.covers.text import MAX_COST, Cover, EncodedOptions, Multiplicity
from worker.formats.entry import Entry
from worker.formats.errors import excerpt
from worker.formats.files.text import Line
from worker.formats.readers.covers import InvalidLineError, bounded, check_size

#: a right-hand side at most
MAX_SIDE = 10**6
#: bounds of columns that are chosen or not, by type, with the value that they must have
BOUNDS = {"BV": None, "UP": 1, "LO": 0, "PL": None}


def read(source: Iterable[Line]) -> Iterator[Entry]:
    """Yield the problem of an input."""
    model = Model()
    try:
        for line in bounded(source):
            model.line = line.number
            if line.text.strip() and not line.text.startswith("*"):
                model.read(line.text)
        text = model.text()
    except InvalidLineError as error:
        yield Entry.wrong(model.line, model.name, f"line {model.line}: {error}")
    else:
        yield Entry(1, model.name or None, text, kind=Kind.COVER, costs=True)


def solution_lines(answer: AnswerRow) -> Iterator[str]:
    """Yield the lines of a solution; `=infeas=` if there is none, `=unkn=` if none was found."""
    if answer.solution is None:
        yield "=infeas=" if answer.status == Status.NONE else "=unkn="
        return
    problem = json.loads(answer.puzzle)
    chosen = [int(number) - 1 for number in answer.solution.split()]
    yield f"=obj= {sum(problem['costs'][option] for option in chosen)}"
    for option in chosen:
        yield f"{problem['option_names'][option]} 1"


class Model:
    """What was read of a file so far; its methods raise InvalidLineError."""

    def __init__(self) -> None:
        self.line, self.name, self._section = 1, "", ""
        self._objective: str | None = None
        self._free: set[str] = set()  #: further rows of type N
        self._types: dict[str, str] = {}  #: of rows
        self._numbers: dict[str, int] = {}  #: of rows, as items: those of type L come last
        self._sides: dict[str, int] = {}
        self._sizes = Counter[str]()  #: columns in each row
        self._options = EncodedOptions()
        self._columns: dict[str, None] = {}  #: in their order
        self._characters = 0  #: of their names in the text
        self._column, self._rows, self._cost = "", list[int](), 0
        self._are_integers = False
        self._continuous: set[str] = set()  #: columns that a bound must make binary

    def read(self, text: str) -> None:
        """Read a line that is no comment."""
        words = text.split()
        if text[0].isspace():
            self._read_fields(words)
            return
        self._end_column()
        self._section = words[0]
        if self._section == "NAME":
            self.name = " ".join(words[1:2])
        elif self._section == "OBJSENSE" and words[1:]:
            self._sense(words[1])
        elif self._section == "COLUMNS":
            self._number_rows()
        elif self._section == "RANGES":
            raise InvalidLineError("ranges cannot be read")

    def _read_fields(self, words: list[str]) -> None:
        if self._section == "ROWS" and len(words) == 2:
            self._add_row(*words)
        elif self._section == "COLUMNS" and len(words) == 3 and words[1].strip("'") == "MARKER":
            self._end_column()
            self._are_integers = words[2].strip("'") == "INTORG"
        elif self._section == "COLUMNS" and len(words) in {3, 5}:
            self._add_entries(words[0], words[1:])
        elif self._section == "RHS" and len(words) > 1:
            self._add_sides(words[len(words) % 2 :])
        elif self._section == "BOUNDS" and len(words) > 1:
            self._add_bound(words)
        elif self._section == "OBJSENSE":
            self._sense(words[0])
        else:
            raise InvalidLineError(f"`{excerpt(' '.join(words))}` is no line of {self._section}")

    def _sense(self, word: str) -> None:
        if not word.upper().startswith("MIN"):
            raise InvalidLineError("only a minimum can be found; negate the objective")

    def _add_row(self, type_: str, name: str) -> None:
        if type_ == "N":
            if self._objective is None:
                self._objective = name
            self._free.add(name)
        elif type_ not in {"E", "G", "L"}:
            raise InvalidLineError(f"`{excerpt(type_)}` is no type of a row: E, G, L or N")
        elif name in self._types:
            raise InvalidLineError(f"row {excerpt(name)} occurs twice")
        else:
            self._types[name] = type_

    def _number_rows(self) -> None:
        """Number the rows: items that must be covered first, then those of type L."""
        rows = sorted(self._types, key=lambda name: self._types[name] == "L")
        self._numbers = {name: number for number, name in enumerate(rows, 1)}

    def _add_entries(self, column: str, entries: list[str]) -> None:
        if column != self._column:
            self._end_column()
            if column in self._columns:
                raise InvalidLineError(f"column {excerpt(column)} occurs twice")
            self._columns[column] = None
            self._characters += len(column) + 3
            self._column = column
            if not self._are_integers:
                self._continuous.add(column)
        for row, word in zip(entries[::2], entries[1::2], strict=True):
            value = _whole(word)
            if row == self._objective:
                if abs(value) > MAX_COST:
                    why = f"the cost {word} is not from {-MAX_COST:,} to {MAX_COST:,}"
                    raise InvalidLineError(why)
                self._cost = value
            elif row not in self._free:
                self._add_entry(row, value)

    def _add_entry(self, row: str, value: int) -> None:
        if row not in self._numbers:
            raise InvalidLineError(f"there is no row {excerpt(row)}")
        if value != 1:
            why = f"row {excerpt(row)} has the coefficient {value}; only 1 can be read"
            raise InvalidLineError(why)
        if self._numbers[row] in self._rows:
            raise InvalidLineError(f"row {excerpt(row)} occurs twice in a column")
        self._rows.append(self._numbers[row])
        self._sizes[row] += 1

    def _end_column(self) -> None:
        if self._column:
            self._options.add(sorted(self._rows), self._cost)
            if self._cost < 0 and not self._rows:
                why = f"column {excerpt(self._column)} has a negative cost and no row"
                raise InvalidLineError(why)
            check_size(self._options.characters + self._characters, self.line)
        self._column, self._rows, self._cost = "", [], 0

    def _add_sides(self, entries: list[str]) -> None:
        for row, word in zip(entries[::2], entries[1::2], strict=True):
            value = _whole(word)
            if row in self._free and value:
                raise InvalidLineError("the objective has a constant")
            if row in self._types:
                self._sides[row] = value

    def _add_bound(self, words: list[str]) -> None:
        type_, *names = words
        has_value = type_ not in {"BV", "PL"}
        column = names[-1 - has_value] if len(names) > has_value else ""
        if type_ not in BOUNDS or column not in self._columns:
            raise InvalidLineError(f"`{excerpt(' '.join(words))}` is no bound of a binary column")
        if has_value and _whole(names[-1]) != BOUNDS[type_]:
            raise InvalidLineError(f"column {excerpt(column)} is not binary")
        if type_ == "BV":
            self._continuous.discard(column)

    def text(self) -> str:
        """Return the text of the problem."""
        if self._section != "ENDATA":
            raise InvalidLineError("the file ends before ENDATA")
        if self._continuous:
            raise InvalidLineError(f"column {excerpt(min(self._continuous))} is not an integer")
        times = [self._multiplicity(name) for name in self._numbers]
        types = Counter(self._types.values())
        # A column may have no other rows than those of type L, and is chosen only for a profit.
        if self._options.has_profits or any(most > 1 for least, most in times if least == 0):
            return self._text(Cover(len(times), 0, [], multiplicities=times))
        primary = len(times) - types["L"]
        if types["G"] == primary > 0 and {least for least, _ in times} <= {0, 1}:
            return self._text(Cover(primary, types["L"], [], set_cover=True))
        return self._text(Cover(primary, types["L"], [], multiplicities=times[:primary]))

    def _text(self, cover: Cover) -> str:
        return self._options.text(cover._replace(option_names=list(self._columns)))

    def _multiplicity(self, row: str) -> Multiplicity:
        """Return how often a row is to be covered, at least and at most."""
        side, type_ = self._sides.get(row, 0), self._types[row]
        if not 1 <= side <= MAX_SIDE:
            what = f"row {excerpt(row)} has the right-hand side {side}"
            raise InvalidLineError(f"{what}, which is not from 1 to {MAX_SIDE:,}")
        least = 0 if type_ == "L" else side
        return least, max(side, self._sizes[row]) if type_ == "G" else side


def _whole(word: str) -> int:
    """Return a number that is whole; raise InvalidLineError for any other word."""
    try:
        value = float(word)
    except ValueError:
        raise InvalidLineError(f"`{excerpt(word)}` is not a number") from None
    if not value.is_integer():
        raise InvalidLineError(f"{excerpt(word)} is not a whole number")
    return int(value)

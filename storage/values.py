"""The stored values as plain types, which need no database to import."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, compress
from typing import NamedTuple, Protocol, Self, TypeVar
from unicodedata import category

Sliced = TypeVar("Sliced", bound="Sliceable")

#: what selects a batch: its number, its name, or LAST
BatchKey = int | str
#: the largest integer of SQLite and PostgreSQL
MAX_INTEGER = 2**63 - 1
NS_PER_MS = 1_000_000
#: selects the newest batch
LAST = "last"
#: called with the number of steps that an upgrade of the tables has taken, and that of all
UpgradeProgress = Callable[[int, int], None]

#: how `detail` begins of an answer that was not stored because a check of it failed
WRONG_ANSWER = "the solver returned a wrong answer: "


class Sliceable(Protocol):
    """What has a length and slices of its own type: sequences, and puzzles in columns."""

    def __len__(self) -> int: ...
    def __getitem__(self, part: slice, /) -> Self: ...


def slices(some: Sliced, size: int) -> Iterator[Sliced]:
    """Yield the parts of a sequence, each of this size but the last.

    >>> list(slices("abcde", 2))
    ['ab', 'cd', 'e']
    """
    return (some[start : start + size] for start in range(0, len(some), size))


def printable(text: str, keep: str = "") -> str:
    """Return text with U+FFFD for each character that is not shown as itself, and is not to `keep`.

    Such are control codes, codes that change the direction of text, and bytes of a file name that
    are not UTF-8.

    >>> printable("数独 \\x1b[2J\\u202e 1\\n", keep="\\n")
    '数独 �[2J� 1\\n'
    """
    if text.isprintable():
        return text
    with suppress(UnicodeEncodeError):  # of a name, where the locale is not of UTF-8
        text = text.encode(errors="surrogateescape").decode(errors="replace")
    return "".join(
        one if one.isprintable() or one in keep or category(one) == "Zs" else "\ufffd"
        for one in text
    )


class Status(StrEnum):
    """The outcome of a puzzle."""

    SOLVED = "solved"  #: at least one solution was found
    NONE = "none"  #: proven to have no solution
    TIMEOUT = "timeout"  #: its time limit ran out; solutions found so far are kept
    INVALID = "invalid"  #: the input is not a puzzle; `detail` says why
    FAILED = "failed"  #: its worker died repeatedly, or the solver failed; `detail` says how


class Kind(StrEnum):
    """The kind of a puzzle's text, which determines its solver."""

    SUDOKU = "sudoku"  #: a grid as `.1-9A-P`, row by row
    COVER = "cover"  #: an exact cover problem as JSON


class Priority(StrEnum):
    """How large a share of the workers a batch gets while other batches wait, too."""

    LOW = "low"  #: a quarter of the share of a normal batch
    NORMAL = "normal"
    HIGH = "high"  #: four times the share of a normal batch


class ChunkState(StrEnum):
    """The state of a chunk in the outbox: new -> sent -> taken -> done."""

    NEW = "new"  #: not in Redis yet
    SENT = "sent"  #: published to Redis
    TAKEN = "taken"  #: leased to a worker
    DONE = "done"  #: all its answers are stored


class Puzzle(NamedTuple):
    """A puzzle of a batch."""

    id: int
    position: int  #: place in the batch's input, from 1
    label: str | None  #: its name in the input
    text: str  #: a grid as `.1-9A-P`, row by row, or a cover problem as JSON


@dataclass(frozen=True, slots=True)
class Puzzles:
    """Puzzles of one batch and of one kind, in columns of equal length.

    Columns, because creating an object for each puzzle takes longer than reading it from a file.
    """

    kind: Kind
    positions: Sequence[int]
    labels: Sequence[str | None] | None  #: None if no puzzle has a label
    texts: Sequence[str]
    first_id: int = 1  #: the id of the puzzle at position 1 of the batch

    @classmethod
    def of(cls, kind: Kind, rows: Sequence[Puzzle]) -> Self:
        """Return the columns of rows, at least one, that are all of this kind."""
        _, positions, names, texts = zip(*rows, strict=True)
        labels = names if any(name is not None for name in names) else None
        return cls(kind, positions, labels, texts, rows[0].id - rows[0].position + 1)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, part: slice) -> Self:
        """Return the puzzles of a slice."""
        labels = self.labels and self.labels[part]
        return replace(self, positions=self.positions[part], labels=labels, texts=self.texts[part])

    @property
    def ids(self) -> list[int]:
        """The ids of the puzzles."""
        before = self.first_id - 1
        return [before + position for position in self.positions]

    def __iter__(self) -> Iterator[Puzzle]:
        """Yield the puzzles one by one."""
        labels = self.labels or [None] * len(self)
        return map(Puzzle, self.ids, self.positions, labels, self.texts)

    def without(self, positions: Container[int]) -> Self:
        """Return the puzzles that are not at one of these positions."""
        wanted = [position not in positions for position in self.positions]
        return replace(
            self,
            positions=list(compress(self.positions, wanted)),
            labels=self.labels and list(compress(self.labels, wanted)),
            texts=list(compress(self.texts, wanted)),
        )


#: a part of a search: its text, its share of the search tree, the highest score in it or None, and
#: the options below which it begins
PartRow = tuple[str, float, int | None, tuple[int, ...]]


class Candidate(NamedTuple):
    """A solution that a part of a search keeps.

    Sorted by score, the highest first, then by path, those of all parts are in the order in which
    one search keeps them.
    """

    score: int | None  #: with `--target`, else None
    path: tuple[int, ...]  #: the numbers of its options in the order in which they were chosen
    text: str


class Gain(NamedTuple):
    """What one period of work on a search found."""

    solutions: int
    nodes: int
    ns: int  #: CPU time of the solver, in nanoseconds
    candidates: Sequence[Candidate] = ()  #: solutions that may be among the best of the search


class Searched(NamedTuple):
    """A puzzle whose search lasts, as its answer will describe it, and what its parts share."""

    kind: str  #: sudoku, target or cover
    size: int | None  #: side of the grid, or items of the cover problem
    clues: int | None
    setup: str = ""  #: what the solver needs for each part, besides the puzzle and the options
    estimate: str | None = None  #: the estimate of the whole search, as the worker wrote it


class Kept(NamedTuple):
    """A kept solution of a puzzle after the first, which is part of its answer."""

    rank: int  #: from 2; rank 1 is the answer's own
    score: int | None
    text: str


class Facts(NamedTuple):
    """What no symmetry changes of a sudoku, as it is stored besides its answer; None: not known.

    `class_` and the next three are found with `--classes`, the others with `--facts`.
    """

    class_: int | None = None  #: 64 bits of a hash of `canonical`; equivalent puzzles have the same
    canonical: str | None = None  #: the least text of the puzzle and those equivalent to it
    grid_class: int | None = None  #: as `class_`, of the only solution
    automorphisms: int | None = None  #: arrangements of the cells that turn it into itself
    minimal: int | None = None  #: 1 if each clue is necessary, else 0
    redundant: str | None = None  #: the clues that the others imply, as in `r1c2 r9c9`
    placed: int | None = None  #: cells that have a clue, or are filled by singles
    candidates: int | None = None  #: those of the other cells, after singles
    depth: int | None = None  #: of the trials that solve it, or show that nothing does
    backdoor: int | None = None  #: the fewest cells with which singles solve it; 4: more than 3


#: the facts of puzzles, by id, where they are not asked for
NO_FACTS: Mapping[int, Facts] = {}


class Answer(NamedTuple):
    """The stored result of a puzzle.  Unknown values are None, never -1."""

    id: int
    position: int
    label: str | None
    kind: str  #: sudoku, target or cover
    size: int | None  #: side of the grid, or items of the cover problem
    clues: int | None
    puzzle: str
    status: Status
    solutions: int | None = None  #: number found; None if some may have been pruned
    complete: bool = False  #: the search space was covered: `solutions` or `score` is exact
    solution: str | None = None
    score: int | None = None
    bound: int | None = None  #: upper bound on the score of any solution
    nodes: int | None = None  #: search nodes
    ms: float | None = None  #: CPU time of the solver, in milliseconds; whole nanoseconds
    detail: str | None = None
    option_counts: str | None = None  #: JSON: the solutions with each option
    further: tuple[Kept, ...] = ()


class Answers(NamedTuple):
    """Answers in columns of equal length, as the solver returns and the database stores them.

    Columns, because creating an object for each answer takes a fifth of an easy puzzle's time.
    """

    id: Sequence[int]
    position: Sequence[int]
    label: Sequence[str | None]
    kind: Sequence[str]
    size: Sequence[int | None]
    clues: Sequence[int | None]
    puzzle: Sequence[str]
    status: Sequence[Status]
    solutions: Sequence[int | None]
    complete: Sequence[bool]
    solution: Sequence[str | None]
    score: Sequence[int | None]
    bound: Sequence[int | None]
    nodes: Sequence[int | None]
    ms: Sequence[float | None]
    detail: Sequence[str | None]
    option_counts: Sequence[str | None]
    further: Sequence[tuple[Kept, ...]]

    @staticmethod
    def of(rows: Sequence[Answer]) -> "Answers":
        """Return the columns of these rows."""
        return Answers._make(zip(*rows, strict=True) if rows else ((),) * len(Answers._fields))

    @staticmethod
    def joined(parts: Sequence["Answers"]) -> "Answers":
        """Return the answers of all parts, in order."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*parts, strict=True) if parts else ((),) * len(Answers._fields)
        return Answers._make(tuple(chain.from_iterable(column)) for column in columns)

    def without(self, ids: Container[int]) -> "Answers":
        """Return the answers to all puzzles but those with these ids."""
        wanted = [id_ not in ids for id_ in self.id]
        return Answers._make(tuple(compress(column, wanted)) for column in self)


#: what a file of an archived batch contains: rows of the view, or of the table `solution`
ANSWERS, SOLUTIONS = CONTENTS = ("answers", "solutions")

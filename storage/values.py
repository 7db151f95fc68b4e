"""What is stored, as plain values.  Imports no database, so every room may use them."""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, compress
from typing import NamedTuple, Self


class Status(StrEnum):
    """What became of a puzzle."""

    SOLVED = "solved"  #: at least one solution was found
    NONE = "none"  #: proven to have no solution
    TIMEOUT = "timeout"  #: its time ran out; what was found so far is kept
    INVALID = "invalid"  #: the line is no puzzle; `detail` says why
    FAILED = "failed"  #: the solver died of it, time after time; `detail` says of what


class Kind(StrEnum):
    """What a puzzle's text holds, and so which solver it goes to."""

    SUDOKU = "sudoku"  #: a grid as `.1-9A-P`, row by row
    COVER = "cover"  #: an exact cover problem as JSON


class ChunkState(StrEnum):
    """Where a chunk is on its way: new -> sent -> taken -> done."""

    NEW = "new"  #: waits in the database
    SENT = "sent"  #: published to Redis
    TAKEN = "taken"  #: a worker renews it while solving
    DONE = "done"  #: every one of its answers is stored


class Puzzle(NamedTuple):
    """A puzzle as it travels: chunk row -> Redis -> worker."""

    id: int
    position: int  #: place in the batch's input, from 1
    label: str | None  #: the name the input gave it
    text: str  #: a grid as `.1-9A-P`, row by row, or a cover problem as JSON


@dataclass(frozen=True, slots=True)
class Puzzles:
    """Puzzles of one batch and of one kind, in columns of equal length.

    A million rows would take longer than reading the puzzles from their file.
    """

    kind: Kind
    positions: Sequence[int]
    labels: Sequence[str | None] | None  #: None if no puzzle has a label
    texts: Sequence[str]

    @classmethod
    def of(cls, kind: Kind, rows: Iterable[Puzzle]) -> Self:
        """Return the columns of rows that are all of this kind."""
        split = [(row.position, row.label, row.text) for row in rows]
        positions, labels, texts = zip(*split, strict=True) if split else ((), (), ())
        return cls(kind, positions, labels, texts)

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, part: slice) -> Self:
        """Return the puzzles of a slice."""
        labels = self.labels and self.labels[part]
        return replace(self, positions=self.positions[part], labels=labels, texts=self.texts[part])

    def without(self, positions: Container[int]) -> Self:
        """Return the puzzles that are not at one of these positions."""
        wanted = [position not in positions for position in self.positions]
        return replace(
            self,
            positions=list(compress(self.positions, wanted)),
            labels=self.labels and list(compress(self.labels, wanted)),
            texts=list(compress(self.texts, wanted)),
        )


class Kept(NamedTuple):
    """A further solution that was kept, beside the answer's first."""

    rank: int  #: from 2; rank 1 is the answer's own
    score: int | None
    text: str


class Answer(NamedTuple):
    """What is stored for a puzzle; absent is None, never -1."""

    id: int
    position: int
    label: str | None
    kind: str  #: sudoku, target or cover
    size: int | None  #: side of the grid, or items of the cover problem
    clues: int | None
    puzzle: str
    status: Status
    solutions: int | None = None  #: how many were seen; None where some were pruned unseen
    complete: bool = False  #: nothing was left to search: `solutions` is exact, `score` the best
    solution: str | None = None
    score: int | None = None
    bound: int | None = None  #: no solution scores more than this
    nodes: int | None = None  #: search nodes
    ms: float | None = None  #: solver time of this puzzle, in milliseconds
    detail: str | None = None
    further: tuple[Kept, ...] = ()


class Answers(NamedTuple):
    """Answers by columns: the solver gives them so, and SQL takes them.

    To make an object of each would take a fifth of the time that an easy puzzle takes.
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
    further: Sequence[tuple[Kept, ...]]

    @staticmethod
    def of(rows: Sequence[Answer]) -> "Answers":
        """The columns of these."""
        return Answers._make(zip(*rows, strict=True) if rows else ((),) * len(Answers._fields))

    @staticmethod
    def joined(parts: Sequence["Answers"]) -> "Answers":
        """One after the other."""
        if len(parts) == 1:
            return parts[0]
        columns = zip(*parts, strict=True) if parts else ((),) * len(Answers._fields)
        return Answers._make(tuple(chain.from_iterable(column)) for column in columns)

    def without(self, ids: Container[int]) -> "Answers":
        """But the answers to these puzzles."""
        wanted = [id_ not in ids for id_ in self.id]
        return Answers._make(tuple(compress(column, wanted)) for column in self)

    def rows(self) -> Iterator[Answer]:
        """One after the other."""
        return map(Answer, *self)

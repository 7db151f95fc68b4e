"""Puzzles in columns, and packed into the text of a chunk, which is stored and sent to Redis."""

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import compress, repeat
from typing import Self

from storage.tables import FULL_COST
from storage.values import Kind, Puzzle


@dataclass(frozen=True, slots=True)
class Puzzles:
    """Puzzles of one batch and of one kind, in columns of equal length.

    Columns, because creating an object for each puzzle takes longer than reading it from a file.
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


@dataclass(frozen=True, slots=True)
class Packed:
    """Puzzles of one kind that are to be stored as a chunk."""

    kind: Kind
    count: int
    puzzles: str  #: JSON: `[[id, position, label, text], ...]`
    cost: int  #: from LEAST_COST to FULL_COST: how much of its batch's share it takes


def pack(puzzles: Puzzles, first_id: int, cost: int = FULL_COST) -> Packed:
    """Pack puzzles of the batch whose first puzzle has the id `first_id`.

    >>> pack(Puzzles(Kind.SUDOKU, [1], None, ["1..4"]), first_id=7).puzzles
    '[[7,1,null,"1..4"]]'
    """
    before = first_id - 1
    if puzzles.kind is Kind.COVER:
        labels = puzzles.labels or repeat(None, len(puzzles))
        columns = zip(puzzles.positions, labels, puzzles.texts, strict=True)
        rows = [(before + position, position, label, text) for position, label, text in columns]
        return Packed(puzzles.kind, len(rows), json.dumps(rows, separators=(",", ":")), cost)
    # The same JSON in half the time, because the text of a grid needs no escapes.
    names = map(json.dumps, puzzles.labels) if puzzles.labels else repeat("null", len(puzzles))
    items = [
        f'[{before + position},{position},{name},"{text}"]'
        for position, name, text in zip(puzzles.positions, names, puzzles.texts, strict=True)
    ]
    return Packed(puzzles.kind, len(items), "[" + ",".join(items) + "]", cost)


def unpack(puzzles: str) -> list[Puzzle]:
    """Return the puzzles that `pack` packed."""
    return list(map(partial(tuple.__new__, Puzzle), json.loads(puzzles)))


def pack_part(search_id: int, levels: str) -> str:
    """Return the text of a chunk that is a part of a search.

    >>> pack_part(7, "[[1,4,3,5]]")
    '{"search":7,"levels":"[[1,4,3,5]]"}'
    """
    return json.dumps({"search": search_id, "levels": levels}, separators=(",", ":"))


def is_part(text: str) -> bool:
    """Return whether the text of a chunk is a part of a search instead of puzzles."""
    return text.startswith("{")


def unpack_part(text: str) -> tuple[int, str]:
    """Return the id of the search and the levels that `pack_part` packed."""
    values = json.loads(text)
    return values["search"], values["levels"]


def digest(puzzles: str) -> str:
    """Return the digest of a chunk's text: 32 hexadecimal digits, the first half of its SHA-256.

    A worker sends the digest of the text from Redis to the database, instead of the whole text, to
    check that both agree.
    """
    return sha256(puzzles.encode()).hexdigest()[:32]

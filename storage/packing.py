"""Puzzles in one text, as they lie in a chunk's row and in Redis."""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import count, repeat
from typing import NamedTuple

from storage.values import Puzzle


class Packed(NamedTuple):
    """Puzzles that are to be a chunk."""

    size: int
    puzzles: str  #: as `encode` writes them


def encode(puzzles: Iterable[Puzzle]) -> str:
    """JSON: `[[id, position, label, text], ...]`.

    Neighbouring grids without labels may share a line, their texts apart by blanks.
    """
    return "[" + ",".join(map(_encode, puzzles)) + "]"


def _encode(puzzle: Puzzle) -> str:
    id_, position, label, text = puzzle
    if label is None and not text.startswith("{"):
        return f'[{id_},{position},null,"{text}"]'  # a grid has nothing to escape
    return json.dumps(puzzle, separators=(",", ":"))


def decode(text: str) -> list[Puzzle]:
    """Back from `encode`."""
    found: list[Puzzle] = []
    new = partial(tuple.__new__, Puzzle)
    for id_, position, label, told in json.loads(text):
        if told.startswith("{"):
            found.append(Puzzle(id_, position, label, told))
        else:
            found += map(new, zip(count(id_), count(position), repeat(label), told.split(" ")))
    return found


def pack(puzzles: Sequence[Puzzle]) -> Packed:
    """To be a chunk."""
    return Packed(len(puzzles), encode(puzzles))


def pack_grids(id_: int, position: int, size: int, texts: str) -> Packed:
    """As `pack`: grids without labels, apart by blanks, whose ids and positions count up."""
    return Packed(size, f'[[{id_},{position},null,"{texts}"]]')

"""Puzzles in one text, as they lie in a chunk's row and in Redis."""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import count
from typing import NamedTuple

from storage.values import Puzzle


class Packed(NamedTuple):
    """Puzzles that are to be a chunk."""

    size: int
    puzzles: str  #: as `encode` writes them


def encode(puzzles: Iterable[Puzzle]) -> str:
    """JSON: `[[id, position, label, text], ...]`."""
    return "[" + ",".join(map(_encode, puzzles)) + "]"


def _encode(puzzle: Puzzle) -> str:
    id_, position, label, text = puzzle
    if label is None and not text.startswith("{"):
        return f'[{id_},{position},null,"{text}"]'  # a grid has nothing to escape
    return json.dumps(puzzle, separators=(",", ":"))


def decode(text: str) -> list[Puzzle]:
    """Back from `encode`."""
    return list(map(partial(tuple.__new__, Puzzle), json.loads(text)))


def pack(puzzles: Sequence[Puzzle]) -> Packed:
    """To be a chunk."""
    return Packed(len(puzzles), encode(puzzles))


def pack_grids(id_: int, position: int, size: int, texts: str) -> Packed:
    """As `pack`: grids without labels, apart by blanks, whose ids and positions count up."""
    lines = map('[%d,%d,null,"%s"]'.__mod__, zip(count(id_), count(position), texts.split(" ")))
    return Packed(size, "[" + ",".join(lines) + "]")

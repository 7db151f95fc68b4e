"""Puzzles packed into the text of a chunk, which is stored and sent to Redis."""

import json
from dataclasses import dataclass
from functools import partial
from hashlib import sha256

from storage.tables import FULL_COST
from storage.values import Kind, Puzzles

_json = partial(json.dumps, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Packed:
    """Puzzles of one kind that are to be stored as a chunk."""

    kind: Kind
    count: int
    puzzles: str  #: the fields of `Puzzles` as JSON
    cost: int  #: from LEAST_COST to FULL_COST: how much of its batch's share it takes


def pack(puzzles: Puzzles, cost: int = FULL_COST) -> Packed:
    """Pack puzzles, at least one.

    >>> pack(Puzzles(Kind.SUDOKU, [1], None, ["1..4"], first_id=7)).puzzles
    '{"kind":"sudoku","first_id":7,"positions":[1],"labels":null,"texts":["1..4"]}'
    """
    about = {
        "kind": puzzles.kind,
        "first_id": puzzles.first_id,
        "positions": list(puzzles.positions),
        "labels": puzzles.labels,
    }
    if puzzles.kind is Kind.COVER:
        texts = _json(puzzles.texts)
    else:  # the same JSON in a tenth of the time, because the text of a grid needs no escapes
        texts = '["' + '","'.join(puzzles.texts) + '"]'
    packed = _json(about)[:-1] + ',"texts":' + texts + "}"
    return Packed(puzzles.kind, len(puzzles), packed, cost)


def unpack(puzzles: str) -> Puzzles:
    """Return the puzzles that `pack` packed."""
    values = json.loads(puzzles)
    return Puzzles(**{**values, "kind": Kind(values["kind"])})


def pack_part(search_id: int, levels: str) -> str:
    """Return the text of a chunk that is a part of a search.

    >>> pack_part(7, "[[1,4,3,5]]")
    '{"search":7,"levels":"[[1,4,3,5]]"}'
    """
    return _json({"search": search_id, "levels": levels})


def is_part(text: str) -> bool:
    """Return whether the text of a chunk is a part of a search instead of puzzles."""
    return text.startswith('{"search"')


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

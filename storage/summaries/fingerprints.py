"""Hashes of puzzles by which their answers are found again, without an index on their texts.

A row has the hashes of what one transaction stored, four bytes each, in the order of its ids.  A
search reads all of them, which takes a hundredth of the time that reading the puzzles takes; a
B-tree of hashes would be written at random places with each chunk.
"""

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Any, NamedTuple
from zlib import crc32

from sqlalchemy import Connection, delete, insert, select

from storage.tables import fingerprint
from storage.values import Status

#: the statuses of answers that more time would not change
FINAL = frozenset((str(Status.SOLVED), str(Status.NONE)))

# The statement runs for every chunk: building it takes longer than running it.
_insert = insert(fingerprint)


def hashes(texts: Iterable[str]) -> "array[int]":
    """Return a hash of each text: 32 bits; equal hashes do not mean equal texts."""
    return array("I", map(crc32, map(str.encode, texts)))


def add(connection: Connection, batch_id: int, ids: Sequence[int], puzzles: Sequence[str]) -> None:
    """Add the hashes of puzzles whose answers are stored in the same transaction, if any."""
    if ids:
        row = {"batch_id": batch_id, "first_id": ids[0], **_packed(ids, hashes(puzzles))}
        connection.execute(_insert, row)


def with_final_answer(
    ids: Sequence[int], puzzles: Sequence[str], status: Sequence[str]
) -> tuple[Sequence[int], Sequence[str]]:
    """Return those ids and puzzles whose answers would not change with more time."""
    if status.count(status[0]) == len(status) and status[0] in FINAL:
        return ids, puzzles
    wanted = [one in FINAL for one in status]
    return list(compress(ids, wanted)), list(compress(puzzles, wanted))


def _packed(ids: Sequence[int], made: "array[int]") -> dict[str, Any]:
    first = ids[0]
    if ids[-1] - first == len(ids) - 1 and sorted(ids) == list(ids):
        return {"hashes": _bytes(made), "offsets": None}
    offsets = array("q", [id_ - first for id_ in ids])
    return {"hashes": _bytes(made), "offsets": _bytes(offsets)}


class Hashed(NamedTuple):
    """The hashes that one transaction stored."""

    first_id: int
    hashes: "array[int]"
    offsets: "array[int] | None"  #: of the ids from the first; None if no id is left out

    def ids(self, places: Iterable[int]) -> list[int]:
        """Return the ids of the puzzles at some places."""
        if self.offsets is None:
            return [self.first_id + place for place in places]
        return [self.first_id + self.offsets[place] for place in places]


def read(connection: Connection, batch_id: int) -> Iterator[Hashed]:
    """Yield all hashes of a batch."""
    f = fingerprint.c
    wanted = select(f.first_id, f.hashes, f.offsets).where(f.batch_id == batch_id)
    for first_id, made, offsets in connection.execute(wanted):
        yield Hashed(first_id, _array("I", made), offsets and _array("q", offsets))


def remove(connection: Connection, batch_id: int) -> None:
    """Delete the hashes of a batch."""
    connection.execute(delete(fingerprint).where(fingerprint.c.batch_id == batch_id))


def _bytes(values: "array[int]") -> bytes:
    if sys.byteorder == "big":
        values.byteswap()
    return values.tobytes()


def _array(type_: str, data: bytes) -> "array[int]":
    values = array(type_)
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values

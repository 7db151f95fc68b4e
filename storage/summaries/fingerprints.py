"""Hashes of puzzles by which their answers are found again, without an index on their texts.

A row has the hashes of what one transaction stored, four bytes each, in the order of its ids.  A
search reads all of them, which takes a hundredth of the time that reading the puzzles takes; a
B-tree of hashes would be written at random places with each chunk.
"""

from array import array
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple
from zlib import crc32

from sqlalchemy import Connection, insert, select

from storage.tables import fingerprint
from storage.values import Status

#: the statuses of answers that more time would not change
FINAL = frozenset((str(Status.SOLVED), str(Status.NONE)))

#: stands for the hash of a puzzle that cannot be found; others may have it too, by chance
NOT_FINAL = 0
#: rows that are read at a time; the largest have 32 KB
ROWS_AT_A_TIME = 100

# The statement runs for every chunk: building it takes longer than running it.
_insert = insert(fingerprint).inline()  # inline: ids are not returned


def hashes(texts: Iterable[str]) -> "array[int]":
    """Return a hash of each text: 32 bits; equal hashes do not mean equal texts."""
    return array("I", map(crc32, map(str.encode, texts)))


def add(
    connection: Connection,
    batch_id: int,
    ids: Sequence[int],
    puzzles: Sequence[str],
    status: Sequence[str],
) -> None:
    """Add the hashes of puzzles that are answered now, NOT_FINAL if more time may change these."""
    made = hashes(puzzles)
    if not FINAL.issuperset(set(status)):
        made = array(
            "I", (h if s in FINAL else NOT_FINAL for h, s in zip(made, status, strict=True))
        )
    values = {"hashes": made.tobytes(), "offsets": _offsets(ids)}
    connection.execute(_insert, {"batch_id": batch_id, "first_id": ids[0], **values})


def _offsets(ids: Sequence[int]) -> bytes | None:
    """Return the distances of ids from the first; None if each follows the one before."""
    first = ids[0]
    if ids[-1] - first == len(ids) - 1 and sorted(ids) == list(ids):
        return None
    return array("q", [id_ - first for id_ in ids]).tobytes()


class Hashed(NamedTuple):
    """The hashes that one transaction stored."""

    first_id: int
    hashes: "array[int]"
    offsets: "array[int] | None"  #: of the ids from the first; None if no id is left out

    def ids(self) -> Iterator[int]:
        """Return the ids of all puzzles."""
        offsets = range(len(self.hashes)) if self.offsets is None else self.offsets
        return map(self.first_id.__add__, offsets)

    def only(self, wanted: Container[int]) -> Iterator[tuple[int, int]]:
        """Return the ids of the puzzles with the hashes that are wanted, each with its hash."""
        is_wanted = [made in wanted for made in self.hashes]
        return compress(zip(self.ids(), self.hashes, strict=True), is_wanted)


def read_all(connection: Connection, batch_id: int) -> Iterator[Hashed]:
    """Yield all rows of a batch; they are read some at a time, to limit the memory."""
    f = fingerprint.c
    wanted = select(f.id, f.first_id, f.hashes, f.offsets).where(f.batch_id == batch_id)
    wanted, after = wanted.order_by(f.id).limit(ROWS_AT_A_TIME), 0
    while rows := connection.execute(wanted.where(f.id > after)).all():
        for _, first_id, made, offsets in rows:
            yield Hashed(first_id, array("I", made), offsets and array("q", offsets))
        after = rows[-1].id

"""What `bullseye doctor` asks of the database.

`--deep` proves that each puzzle has one place, and that summaries equal a scan.
"""

import json
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, and_, case, func, select, text, update

from storage.batches import LIVE, Batch
from storage.clock import utc
from storage.packing import unpack
from storage.summaries import fingerprints, scan, table
from storage.summaries.summary import Summary, SummaryKey, at, by_key, differences, merge, summarise
from storage.tables import (
    OF_SUMMARY,
    REFUSED,
    UNDER_WAY,
    answer,
    batch,
    chunk,
    meta,
    part,
    payload,
    search,
    summary,
)
from storage.values import ChunkState

#: the places of a puzzle: its answer, a chunk that is not done, and a search that has not ended
ANSWERED, WAITING, SEARCHED = 1, 2, 4
#: in a chunk of which a part is answered, a puzzle has both
_ALLOWED = frozenset((ANSWERED, WAITING, SEARCHED, ANSWERED | WAITING))

#: puzzles whose answers are read together
BLOCK_PUZZLES = 8192


def check_writing(connection: Connection) -> None:
    """Write what is already there, and undo that; the driver's error says why that is impossible.

    SQLite lets a transaction for writing begin, and PostgreSQL any, where nothing can be written.
    """
    with connection.begin_nested() as savepoint:
        connection.execute(update(meta).values(value=meta.c.value))
        savepoint.rollback()


def superuser(connection: Connection) -> str | None:
    """Return the name of our role of PostgreSQL if it is a superuser."""
    if connection.dialect.name != "postgresql":
        return None
    wanted = text("SELECT rolname FROM pg_roles WHERE rolname = current_user AND rolsuper")
    found: str | None = connection.execute(wanted).scalar()
    return found


def expired_leases(connection: Connection, seconds: float) -> dict[int, int]:
    """Return the number of leases not renewed for `seconds`, by batch that is to be solved."""
    found = connection.execute(
        select(chunk.c.batch_id, func.count())
        .join(batch)
        .where(
            text(UNDER_WAY),
            chunk.c.state == ChunkState.TAKEN,
            chunk.c.taken_at <= utc(seconds),
            *LIVE,
        )
        .group_by(chunk.c.batch_id)
        .order_by(chunk.c.batch_id)
    )
    return dict(map(tuple, found))


def longest_timeout(connection: Connection) -> float:
    """Return the longest time limit, in seconds, of batches with sent or taken chunks, or 0.0."""
    under_way = select(chunk.c.batch_id).where(text(UNDER_WAY))
    found = connection.execute(select(batch.c.options).where(batch.c.id.in_(under_way)))
    return max((json.loads(options)["timeout"] for options in found.scalars()), default=0.0)


def wrong_totals(connection: Connection) -> list[int]:
    """Return the searches whose totals differ from the sums over their parts; reads all parts."""
    solutions, nodes = Counter[int](), Counter[int]()
    found = connection.execute(select(part.c.search_id, part.c.solutions, part.c.nodes))
    for search_id, of_part, nodes_of_part in found:
        solutions[search_id] += int(of_part)
        nodes[search_id] += nodes_of_part
    s = search.c
    rows = connection.execute(
        select(s.id, s.solutions, s.nodes, s.first_solutions, s.first_nodes).order_by(s.id)
    )
    return [
        row.id
        for row in rows
        if int(row.solutions) != int(row.first_solutions) + solutions[row.id]
        or row.nodes != row.first_nodes + nodes[row.id]
    ]


def refused_answers(connection: Connection) -> dict[int, int]:
    """Return the number of answers that a check found wrong, by batch."""
    # Not grouped by SQLite, which would then begin with the summaries instead of the few answers.
    wanted = select(summary.c.batch_id).join(answer, OF_SUMMARY).where(text(REFUSED))
    return dict(sorted(Counter(connection.execute(wanted).scalars()).items()))


# --- `--deep` ---


def faults(connection: Connection, whole: Batch) -> Iterator[str]:
    """Yield what is wrong with the answers of a batch that is ready; reads all of them."""
    yield from _wrong_places(connection, whole)
    yield from _wrong_summaries(connection, whole)
    if _stored_hashes(connection, whole) != _hashes_of_answers(connection, whole):
        yield "the hashes that --reuse needs are not those of its puzzles"


def _wrong_places(connection: Connection, whole: Batch) -> Iterator[str]:
    """Yield what is wrong with the places of the puzzles of a batch."""
    places = bytearray(whole.puzzles)
    if wrong := _mark_answers(connection, whole, places):
        yield f"{wrong:,} answers have no summary in this batch"
    if wrong := _mark_chunks(connection, whole, places):
        yield f"{wrong:,} chunks count their answers wrongly"
    s = search.c
    going_on = select(s.id).where(s.batch_id == whole.id, s.ended_at.is_(None))
    for id_ in connection.execute(going_on).scalars():
        places[id_ - whole.first_id] |= SEARCHED
    if lost := places.count(0):
        yield (
            f"{lost:,} puzzles have neither an answer nor a chunk, the first with the id "
            f"{whole.first_id + places.index(0)}"
        )
    if twice := sum(places.count(flags) for flags in range(1, 8) if flags not in _ALLOWED):
        yield f"{twice:,} puzzles have an answer and also a search that goes on"


def _mark_answers(connection: Connection, whole: Batch, places: bytearray) -> int:
    """Mark the answered puzzles; return how many answers have no summary of this batch."""
    a, s = answer.c, summary.c
    is_right = and_(s.batch_id == whole.id, a.id.between(s.first_id, s.last_id))
    counted = select(func.count(), func.sum(case((is_right, 0), else_=1)))
    counted = counted.select_from(answer).outerjoin(summary, s.id == a.summary_id)
    wrong = 0
    for first, last in whole.blocks(BLOCK_PUZZLES):
        block = a.id.between(first, last)
        answers, wrong_ones = connection.execute(counted.where(block)).one()
        wrong += wrong_ones or 0
        ids: Iterable[int] = range(first, last + 1)
        if answers <= last - first:  # some are missing
            ids = connection.execute(select(a.id).where(block)).scalars()
        for id_ in ids:
            places[id_ - whole.first_id] |= ANSWERED
    return wrong


def _mark_chunks(connection: Connection, whole: Batch, places: bytearray) -> int:
    """Mark the puzzles of chunks that are not done; return how many count wrongly."""
    c = chunk.c
    wanted = select(c.count, c.answered, payload.c.puzzles).join(payload)
    wanted = wanted.where(c.batch_id == whole.id, c.state != ChunkState.DONE, c.count > 0)
    streamed = {"stream_results": True, "yield_per": 10_000}
    wrong = 0
    for number, answered, packed in connection.execute(wanted, execution_options=streamed):
        theirs = [id_ - whole.first_id for id_ in unpack(packed).ids]
        wrong += answered != sum(places[one] & ANSWERED for one in theirs) or number < answered
        for one in theirs:
            places[one] |= WAITING
    return wrong


def _wrong_summaries(connection: Connection, whole: Batch) -> Iterator[str]:
    kept = _merged(table.read(connection, whole.id))
    scanned = _merged(_scanned(connection, whole))
    for worker, shared in kept.keys() | scanned.keys():
        key = worker, shared
        if wrong := differences(kept.get(key, Summary()), scanned.get(key, Summary())):
            yield (
                f"the summaries of its answers with status {shared.status} by {worker} are not "
                f"what a scan gives: {', '.join(wrong)}"
            )


def _scanned(connection: Connection, whole: Batch) -> Iterator[table.Record]:
    for first, last in whole.blocks(BLOCK_PUZZLES):
        for worker, found in scan.read(connection, first, last):
            for shared, places in by_key(found):
                yield table.Record(worker, shared, summarise(at(found, places)))


def _merged(each: Iterable[table.Record]) -> dict[tuple[str | None, SummaryKey], Summary]:
    groups = defaultdict[tuple[str | None, SummaryKey], list[Summary]](list)
    for worker, shared, one in each:
        groups[worker, shared].append(one)
    return {key: merge(some) for key, some in groups.items()}


def _stored_hashes(connection: Connection, whole: Batch) -> "array[int]":
    """Return the stored hash of each puzzle with a final answer, and 0 for the others."""
    found = array("I", bytes(4 * whole.puzzles))
    for some in fingerprints.read_all(connection, whole.id):
        for id_, one in zip(some.ids(), some.hashes, strict=True):
            found[id_ - whole.first_id] = one
    return found


def _hashes_of_answers(connection: Connection, whole: Batch) -> "array[int]":
    """Return the same, computed from the puzzles."""
    found = array("I", bytes(4 * whole.puzzles))
    a, s = answer.c, summary.c
    final = and_(s.status.in_(fingerprints.FINAL), s.attempts > 0)
    for first, last in whole.blocks(BLOCK_PUZZLES):
        wanted = select(a.id, a.puzzle).join(summary, OF_SUMMARY).where(final)
        rows = connection.execute(wanted.where(a.id.between(first, last))).all()
        hashes = fingerprints.hashes(puzzle for _, puzzle in rows)
        for (id_, _), one in zip(rows, hashes, strict=True):
            found[id_ - whole.first_id] = one
    return found

"""Parts: pieces of one search that do not overlap and miss nothing, each delivered like a chunk.

The chunk of a part has no puzzles of its own (`count` is 0): its text names the search and what is
left of the part.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, update

from storage.clock import utc
from storage.outbox import leases, publishing
from storage.outbox.leases import Lease
from storage.packing import Packed, digest, pack_part, unpack_part
from storage.searches import candidates
from storage.searches.totals import Goal
from storage.tables import FULL_COST, part, search
from storage.values import ChunkState, Gain, PartRow, Puzzle


class PartLease(NamedTuple):
    """A worker's right to search a part for one turn, and what it needs for that."""

    lease: Lease
    puzzle: Puzzle  #: its id is also that of the search
    setup: str  #: what all parts share besides the puzzle and the options
    levels: str  #: what is left of the part
    share: float  #: share of the search tree that is left in it
    bound: int | None  #: no solution in it scores more
    solutions: int  #: found in its turns
    open: int  #: parts of the search that have not ended
    found: int  #: solutions that the whole search has found so far
    best: int | None  #: the score that a solution must exceed to be kept; None if any is kept
    seconds: float  #: what is left of the search's time limit; may be below 0
    known: tuple[int, tuple[int, ...]] | None = None  #: the best solution so far: score and path
    estimate: str | None = None  #: as given to `turns.cut`


_of_chunk = part.c.chunk_id == bindparam("number")
_of_part = (part.c.share, part.c.bound, part.c.solutions)
_needed = (
    select(search, *(column.label(f"part_{column.name}") for column in _of_part))
    .join(part, part.c.search_id == search.c.id)
    .where(_of_chunk)
)
_stop = leases.of_held.values(state=ChunkState.DONE, done_at=utc(), worker=bindparam("by"))
_go_on = leases.of_held.values(
    state=ChunkState.NEW,
    attempts=0,
    sent_at=None,
    digest=bindparam("new_digest"),
    bytes=bindparam("new_bytes"),
)
_add_turn = (
    update(part)
    .where(_of_chunk)
    .values(
        turns=part.c.turns + 1,
        share=bindparam("new_share"),
        bound=bindparam("new_bound"),
        solutions=bindparam("new_solutions"),
        nodes=part.c.nodes + bindparam("more_nodes"),
        ns=part.c.ns + bindparam("more_ns"),
    )
)
_add_last_turn = _add_turn.values(ended_at=utc())
_set_detail = update(part).where(_of_chunk).values(detail=bindparam("why"))


def take(connection: Connection, chunk_id: int, packed: str, worker: str) -> PartLease | None:
    """Lease the part whose text is `packed`, as `leases.take` leases a chunk.

    Returns None in the same cases, one of them being that the row of the part has another text.
    """
    lease = leases.take(connection, chunk_id, worker, digest(packed))
    if lease is None:
        return None
    row = connection.execute(_needed, {"number": chunk_id}).one()
    goal = Goal.of(lease.options, row.setup)
    best = candidates.worst_score(connection, row.id, goal.keep) if goal.scored else None
    _, levels = unpack_part(packed)
    return PartLease(
        lease=lease,
        puzzle=Puzzle(row.id, row.position, row.label, row.puzzle),
        setup=row.setup,
        levels=levels,
        share=row.part_share,
        bound=row.part_bound,
        solutions=int(row.part_solutions),
        open=row.open,
        found=int(row.solutions),
        best=best,
        seconds=goal.timeout - row.elapsed,
        known=candidates.known(connection, row.id) if goal.pruned else None,
        estimate=row.estimate,
    )


def add(connection: Connection, lease: Lease, search_id: int, rows: Sequence[PartRow]) -> None:
    """Insert parts of a search, and their chunks into the batch of the lease."""
    if not rows:
        return
    texts = [pack_part(search_id, levels) for levels, *_ in rows]
    packed = [Packed(lease.kind, 0, text, FULL_COST) for text in texts]
    ids = publishing.add_many(connection, lease.batch_id, packed)
    none = {"search_id": search_id, "turns": 0, "solutions": "0", "nodes": 0, "ns": 0}
    made = [
        {
            "chunk_id": id_,
            "share": share,
            "bound": bound,
            "path": candidates.pack_path(path),
            **none,
        }
        for id_, (_, share, bound, path) in zip(ids, rows, strict=True)
    ]
    connection.execute(insert(part), made)


def go_on(connection: Connection, taken: PartLease, levels: str) -> bool:
    """Make a part new again, with what is left of it; return False if it was taken over."""
    text = pack_part(taken.puzzle.id, levels)
    new = {"new_digest": digest(text), "new_bytes": len(text)}
    if not leases.change(connection, _go_on, taken.lease, **new):
        return False
    publishing.replace_text(connection, taken.lease.chunk_id, text)
    return True


def end(connection: Connection, taken: PartLease, worker: str, failure: str | None = None) -> bool:
    """Mark the chunk of a part as done; return False if it was taken over.

    After a `failure` the part waits with its text until its search is continued.
    """
    if not leases.change(connection, _stop, taken.lease, by=worker):
        return False
    number = taken.lease.chunk_id
    if failure is None:
        connection.execute(*publishing.removal(number))
    else:
        connection.execute(_set_detail, {"number": number, "why": failure})
    return True


def add_turn(connection: Connection, taken: PartLease, found: Gain, left: PartRow | None) -> None:
    """Add a turn to a part, of which this is left; None if it has ended."""
    _, share, bound, _ = left or ("", 0.0, taken.bound, ())
    values = {
        "number": taken.lease.chunk_id,
        "new_share": share,
        "new_bound": bound,
        "new_solutions": str(taken.solutions + found.solutions),
        "more_nodes": found.nodes,
        "more_ns": found.ns,
    }
    connection.execute(_add_turn if left else _add_last_turn, values)

"""The queries of `bullseye doctor`: expired leases, time limits, totals, and wrong answers."""

import json
from collections import Counter

from sqlalchemy import Connection, func, select, text, update

from storage.clock import utc
from storage.tables import OF_SUMMARY, UNDER_WAY, answer, batch, chunk, meta, part, search, summary
from storage.values import WRONG_ANSWER, ChunkState, Status


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
    """Return the number of leases not renewed for `seconds`, by batch; skip cancelled batches."""
    found = connection.execute(
        select(chunk.c.batch_id, func.count())
        .join(batch)
        .where(
            text(UNDER_WAY),
            chunk.c.state == ChunkState.TAKEN,
            chunk.c.taken_at <= utc(seconds),
            batch.c.cancelled_at.is_(None),
        )
        .group_by(chunk.c.batch_id)
        .order_by(chunk.c.batch_id)
    )
    return dict(map(tuple, found))


def longest_timeout(connection: Connection) -> float:
    """Return the longest time limit per puzzle, in seconds, of batches with sent or taken chunks.

    Returns 0.0 if there are no such batches.
    """
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
    s = summary.c
    found = connection.execute(
        select(s.batch_id, func.count())
        .join(answer, OF_SUMMARY)
        .where(s.status == Status.FAILED, answer.c.detail.startswith(WRONG_ANSWER))
        .group_by(s.batch_id)
        .order_by(s.batch_id)
    )
    return dict(map(tuple, found))

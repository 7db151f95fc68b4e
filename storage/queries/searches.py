"""Searches that were divided into parts: how far they are, and what they took."""

from typing import NamedTuple

from sqlalchemy import Connection, func, select, text

from storage.searches.candidates import unpack_path
from storage.tables import UNDER_WAY, candidate, chunk, part, search, search_worker
from storage.values import ChunkState

#: greatest number of searches that `open_searches` returns
MAX_SEARCHES = 20


class OpenSearch(NamedTuple):
    """A search that has no answer yet."""

    id: int  #: the number of its puzzle
    position: int
    label: str | None
    share: float  #: share of the search tree that is done, from 0 to 1
    progress: float  #: share of its nodes that are visited, as predicted; never falls
    parts: int  #: parts made so far
    open: int  #: parts that have not ended
    processes: int  #: worker processes that search a part now
    solutions: int  #: found so far
    best: int | None  #: the highest score so far
    bound: int | None  #: no solution that is still to be found scores more
    nodes: int
    elapsed: float  #: seconds during which at least one process worked on it
    estimate: str | None  #: as given to `turns.cut`


def open_searches(connection: Connection, batch_id: int) -> list[OpenSearch]:
    """Return the first MAX_SEARCHES searches of a batch that have no answer, in input order."""
    s, c = search.c, candidate.c
    best = select(func.max(c.score)).where(c.search_id == s.id).scalar_subquery().label("best")
    wanted = select(*(s[name] for name in OpenSearch._fields if name in s), best)
    wanted = wanted.where(s.batch_id == batch_id, s.ended_at.is_(None)).order_by(s.id)
    rows = connection.execute(wanted.limit(MAX_SEARCHES)).mappings().all()
    processes = _processes(connection, batch_id) if rows else {}
    return [
        OpenSearch(
            **{**row, "solutions": int(row["solutions"])}, processes=processes.get(row["id"], 0)
        )
        for row in rows
    ]


class SearchWork(NamedTuple):
    """What the search for a puzzle took."""

    parts: int  #: parts made
    turns: int  #: periods of work on a part
    workers: int  #: worker processes that searched a part
    elapsed: float  #: seconds during which at least one of them worked on it
    cpu: float  #: seconds of CPU time of all of them


def find_work(connection: Connection, puzzle_id: int) -> SearchWork | None:
    """Return what a search took, or None if the puzzle was solved without dividing its search."""
    s, w = search.c, search_worker.c
    turns = func.coalesce(func.sum(w.turns), 0)
    wanted = select(s.parts, turns, func.count(w.worker), s.elapsed, s.ns / 1e9).group_by(s.id)
    wanted = wanted.outerjoin(search_worker, w.search_id == s.id).where(s.id == puzzle_id)
    row = connection.execute(wanted).first()
    return None if row is None else SearchWork(*row)


def divided(connection: Connection, batch_id: int) -> set[int]:
    """Return the puzzles of a batch whose searches were divided."""
    theirs = select(search.c.id).where(search.c.batch_id == batch_id)
    return set(connection.execute(theirs).scalars())


class Counted(NamedTuple):
    """What was counted in a part of a search."""

    path: tuple[int, ...]  #: the options below which the part began; empty for one of them
    solutions: int
    nodes: int


def find_counts(connection: Connection, puzzle_id: int) -> list[Counted]:
    """Return the counts of all parts of a search, by path.

    The first part is what was searched before the search was divided, and after that without a
    path. Returns none if the search was not divided, or by a release that did not store paths.
    """
    began = select(search.c.first_solutions, search.c.first_nodes).where(search.c.id == puzzle_id)
    first = connection.execute(began).first()
    columns = select(part.c.path, part.c.solutions, part.c.nodes)
    rows = connection.execute(columns.where(part.c.search_id == puzzle_id)).all()
    if first is None or any(row.path is None for row in rows):
        return []
    whole = Counted((), int(first.first_solutions), first.first_nodes)
    counts: dict[tuple[int, ...], Counted] = {(): whole}
    for row in rows:
        path = unpack_path(row.path)
        _, solutions, nodes = counts.get(path, Counted(path, 0, 0))
        counts[path] = Counted(path, solutions + int(row.solutions), nodes + row.nodes)
    return [counts[path] for path in sorted(counts)]


def _processes(connection: Connection, batch_id: int) -> dict[int, int]:
    """Return the number of leased parts of each search of a batch."""
    found = connection.execute(
        select(part.c.search_id, func.count())
        .join(chunk, chunk.c.id == part.c.chunk_id)
        .where(chunk.c.batch_id == batch_id, text(UNDER_WAY), chunk.c.state == ChunkState.TAKEN)
        .group_by(part.c.search_id)
    )
    return dict(map(tuple, found))

"""The best solutions of a search so far: as many as are to be kept of the whole search.

The best have the highest scores; of equal ones, or without scores, those come first that one
undivided search finds first.  That is the order of their paths: the numbers of their options in the
order in which they were chosen, compared from the first.  A path is stored as four bytes for each
number, the highest byte first, so that both databases compare it in this order.
"""

from collections.abc import Mapping, Sequence
from struct import pack, unpack

from sqlalchemy import Connection, Integer, and_, bindparam, delete, func, or_, select

from storage.tables import candidate
from storage.values import Candidate

_ours = candidate.c.search_id == bindparam("search")
_ranked = select(candidate).where(_ours).order_by(candidate.c.score.desc(), candidate.c.path)
_at = _ranked.offset(bindparam("rank", type_=Integer)).limit(1)
_between = candidate.c.score.between(bindparam("least"), bindparam("most"))
_paths_between = select(candidate.c.path).where(_ours, _between)
_score = func.coalesce(candidate.c.score, 0)
_worse = delete(candidate).where(
    _ours,
    or_(
        _score < bindparam("last_score"),
        and_(_score == bindparam("last_score"), candidate.c.path > bindparam("last_path")),
    ),
)


def add(connection: Connection, search_id: int, found: Sequence[Candidate], keep: int) -> None:
    """Add solutions to the candidates of a search, and delete all but the `keep` best.

    Those that are candidates already are skipped.  Without scores there are none, because parts
    have no solution in common, and each of their turns is stored once.
    """
    last = _last(connection, search_id, keep)
    rows = {pack_path(path): (score, text) for score, path, text in found}
    known = _known(connection, search_id, rows)
    wanted = [
        {"search_id": search_id, "score": score, "path": path, "text": text}
        for path, (score, text) in rows.items()
        if path not in known and (last is None or _rank(score, path) < _rank(*last))
    ]
    if not wanted:
        return
    connection.execute(candidate.insert(), wanted)
    if last := _last(connection, search_id, keep):
        score, path = last
        values = {"search": search_id, "last_score": score or 0, "last_path": path}
        connection.execute(_worse, values)


def best(connection: Connection, search_id: int, keep: int) -> list[tuple[int | None, str]]:
    """Return score and text of the `keep` best candidates, the best first."""
    found = connection.execute(_ranked.limit(keep), {"search": search_id})
    return [(row.score, row.text) for row in found]


def known(connection: Connection, search_id: int) -> tuple[int, tuple[int, ...]] | None:
    """Return score and path of the best candidate; None if there is none, or it has no score."""
    score, path = _last(connection, search_id, 1) or (None, b"")
    return None if score is None else (score, unpack_path(path))


def worst_score(connection: Connection, search_id: int, keep: int) -> int | None:
    """Return the score of the `keep`-th candidate; None if there are fewer, or without scores."""
    last = _last(connection, search_id, keep)
    return last and last[0]


def remove(connection: Connection, search_id: int) -> None:
    """Delete the candidates of a search."""
    connection.execute(delete(candidate).where(_ours), {"search": search_id})


def pack_path(path: Sequence[int]) -> bytes:
    """Return the stored form of a path.

    >>> pack_path([1, 300])
    b'\\x00\\x00\\x00\\x01\\x00\\x00\\x01,'
    """
    return pack(f">{len(path)}I", *path)


def unpack_path(path: bytes) -> tuple[int, ...]:
    """Return the path that `pack_path` packed."""
    return unpack(f">{len(path) // 4}I", path)


def _known(
    connection: Connection, search_id: int, rows: Mapping[bytes, tuple[int | None, str]]
) -> set[bytes]:
    """Return the paths among these that are candidates already, with the scores that these have."""
    scores = [score for score, _ in rows.values() if score is not None]
    if not scores:
        return set()
    values = {"search": search_id, "least": min(scores), "most": max(scores)}
    paths = connection.execute(_paths_between, values).scalars()
    return {path for path in map(bytes, paths) if path in rows}


def _last(connection: Connection, search_id: int, keep: int) -> tuple[int | None, bytes] | None:
    """Return score and path of the `keep`-th candidate, or None if there are fewer."""
    row = connection.execute(_at, {"search": search_id, "rank": keep - 1}).first()
    return None if row is None else (row.score, bytes(row.path))


def _rank(score: int | None, path: bytes) -> tuple[int, bytes]:
    """Return what sorts candidates, the best first; a score is None only if all are."""
    return (-(score or 0), path)

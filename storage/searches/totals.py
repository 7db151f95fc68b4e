"""The row of a search: the totals of what its parts found.

The row is locked first in every transaction that changes the search or its parts.  The totals are
read, added to as Python integers, which have any size, and written back.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

from sqlalchemy import Connection, bindparam, insert, select, text, update

from storage.clock import seconds_between, utc
from storage.tables import part, search
from storage.values import Puzzle, Searched


@dataclass(frozen=True, slots=True)
class Goal:
    """What the options of a batch mean for a search that is divided."""

    limit: int | None  #: solutions after which the search ends
    keep: int  #: solutions to store
    scored: bool  #: the solutions have scores, and the best are wanted
    pruned: bool  #: once `keep` solutions are found, worse ones are not counted
    timeout: float  #: seconds

    @classmethod
    def of(cls, options: dict[str, Any], setup: str = "") -> Self:
        """Return the goal for a batch with these options, and for a search with this setup.

        The best solutions may be wanted without an option, because the text of the puzzle says so.
        """
        is_pruned = '"is_pruned":true' in setup
        scored = bool(options.get("target")) or is_pruned
        limit = None if scored else options["limit"]
        keep = int(options.get("keep", 1))
        return cls(
            limit=limit,
            keep=keep if limit is None else min(keep, limit),
            scored=scored,
            pruned=is_pruned or (scored and not options.get("every")),
            timeout=float(options["timeout"]),
        )


class Totals(NamedTuple):
    """What is known of a search that has not ended."""

    elapsed: float  #: seconds during which at least one process worked on it
    parts: int  #: parts made
    open: int  #: parts that have neither ended nor failed
    share: float  #: share of the search tree that is done, from 0 to 1
    solutions: int
    nodes: int
    ns: int
    progress: float = 0.0  #: share of its nodes that are visited, as predicted; never falls


_id = search.c.id == bindparam("number")
_lock = (
    select(*(search.c[name] for name in Totals._fields), search.c.worked_at, utc().label("now"))
    .where(_id, search.c.ended_at.is_(None))
    .with_for_update(key_share=True)
)
_open = select(search.c.open).where(_id)
_new = {name: bindparam(f"new_{name}", type_=search.c[name].type) for name in Totals._fields}
_save = update(search).where(_id).values(worked_at=utc(), **_new)
_is_open_part = (part.c.search_id == search.c.id) & part.c.ended_at.is_(None)
# ORDER BY: for max(), PostgreSQL reads all parts of a search that is not in its statistics yet.
_highest_bound = (
    select(part.c.bound)
    .where(_is_open_part, part.c.bound.is_not(None))
    .order_by(part.c.bound.desc())
    .limit(1)
)
_update_bound = update(search).where(_id).values(bound=_highest_bound.scalar_subquery())
_count_turn = text(
    "INSERT INTO search_worker (search_id, worker, turns, nodes, last_at)"
    " SELECT id, CAST(:by AS varchar), 1, CAST(:nodes AS bigint), worked_at"
    " FROM search WHERE id = :search"
    " ON CONFLICT (search_id, worker) DO UPDATE"
    " SET turns = search_worker.turns + 1, nodes = search_worker.nodes + excluded.nodes,"
    " last_at = excluded.last_at"
)


def add(
    connection: Connection, batch_id: int, puzzle: Puzzle, searched: Searched, begun: Totals
) -> None:
    """Insert the search for a puzzle, with what was found before it was cut."""
    connection.execute(
        insert(search).values(
            **searched._asdict(),
            **{**begun._asdict(), "solutions": str(begun.solutions)},
            id=puzzle.id,
            batch_id=batch_id,
            position=puzzle.position,
            label=puzzle.label,
            puzzle=puzzle.text,
            began_at=utc(begun.elapsed),
            worked_at=utc(),
            first_solutions=str(begun.solutions),
            first_nodes=begun.nodes,
        )
    )


def lock(connection: Connection, search_id: int, seconds: float) -> Totals | None:
    """Lock a search and return its totals after a period of work that took `seconds`.

    Work at the same time as that of another worker is counted once: a period lasts from the end of
    the one before, if it began earlier.  Returns None if the search has ended or was deleted.
    """
    row = connection.execute(_lock, {"number": search_id}).first()
    if row is None:
        return None
    passed = max(0.0, seconds_between(row.worked_at, row.now))
    found = Totals._make(row[: len(Totals._fields)])
    elapsed = found.elapsed + min(seconds, passed)
    return found._replace(elapsed=elapsed, solutions=int(row.solutions))


def open_parts(connection: Connection, search_id: int) -> int:
    """Return the number of parts of a search that have not ended."""
    return int(connection.execute(_open, {"number": search_id}).scalar() or 0)


def save(connection: Connection, search_id: int, totals: Totals) -> None:
    """Store the totals of a search."""
    values = {f"new_{name}": value for name, value in totals._asdict().items()}
    values |= {"number": search_id, "new_solutions": str(totals.solutions)}
    connection.execute(_save, values)


def update_bound(connection: Connection, search_id: int) -> None:
    """Store the highest bound of the parts that have not ended."""
    connection.execute(_update_bound, {"number": search_id})


def count_turn(connection: Connection, search_id: int, worker: str, nodes: int) -> None:
    """Count a turn of a worker process, which was saved, and its search nodes."""
    connection.execute(_count_turn, {"search": search_id, "by": worker, "nodes": nodes})

"""Narrows a search for answers to the summaries that may contain them: a zone map.

A summary has the least and the greatest id of its answers, and the greatest time, number of nodes
and score among them.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from storage.batches import Batch
from storage.summaries.summary import SEVERAL
from storage.tables import summary
from storage.values import Status

#: greatest number of ranges of ids in a query; SQLite allows 1,000 terms
MAX_RANGES = 500
#: greatest number of ids in which answers with a status are looked for, and sorted, first
MAX_SORTED_IDS = 100_000
#: columns whose greatest value is in the summaries
GREATEST = {"ms": "max_ms", "nodes": "max_nodes", "score": "max_score"}

_s = summary.c


def count(connection: Connection, whole: Batch | None, status: Sequence[str]) -> int:
    """Return the number of answers of a batch with one of these statuses, or of all without."""
    wanted = _of(select(func.coalesce(func.sum(_s.answers), 0)), whole, status)
    return int(connection.execute(wanted).scalar_one())


class Zone(NamedTuple):
    """A range of ids, and the greatest value of a column among the answers in it."""

    greatest: float
    first_id: int
    last_id: int


def with_least(
    connection: Connection, whole: Batch | None, status: Sequence[str], column: str, least: float
) -> list[str]:
    """Return conditions that hold for all answers of a batch with at least a value in a column."""
    zones = [zone for zone in _zones(connection, whole, status, column) if zone.greatest >= least]
    return _conditions(zones, whole)


def with_status(connection: Connection, whole: Batch | None, status: Sequence[str]) -> list[str]:
    """Return conditions that hold for all answers of a batch with one of these statuses.

    None if such answers may be anywhere: they are read in the order of ids until there are enough.
    """
    wanted = _of(select(_s.first_id, _s.last_id), whole, status)
    zones = [Zone(0, *ids) for ids in connection.execute(wanted)]
    covered = sum(last_id - first_id + 1 for first_id, last_id in _joined(zones))
    return _conditions(zones, whole) if covered <= MAX_SORTED_IDS else []


def first(
    connection: Connection,
    whole: Batch | None,
    status: Sequence[str],
    sort: Sequence[str],
    number: int,
) -> list[str]:
    """Return conditions that hold for the first answers in an order, and for few others.

    There are none if the order does not begin with a descending column of GREATEST; else they
    leave out the answers of other batches.
    """
    column = sort[0].removeprefix("-") if sort else ""
    if column not in GREATEST or not sort[0].startswith("-") or not number:
        return []
    zones = sorted(
        _zones(connection, whole, status, column), key=lambda zone: (-zone.greatest, zone.first_id)
    )
    if len(zones) < number:
        return []
    # Each zone has an answer with its greatest value, so that many answers are not below the last.
    least = zones[number - 1].greatest
    end = max(zone.last_id for zone in zones[:number] if zone.greatest == least)
    by_id = sort[1:2] in ([], ["id"])  # of equal answers, those with the least ids come first
    chosen = [
        zone
        for zone in zones
        if zone.greatest > least or (zone.greatest == least and (not by_id or zone.first_id <= end))
    ]
    return [f"{column} >= {least!r}", *_conditions(chosen, whole)]


def of_batch(whole: Batch | None) -> list[str]:
    """Return the condition that answers belong to a batch, or none for all batches."""
    return [f"id BETWEEN {whole.first_id} AND {whole.last_id}"] if whole else []


def _conditions(zones: Sequence[Zone], whole: Batch | None) -> list[str]:
    ranges = _joined(zones)
    if len(ranges) > MAX_RANGES:
        return of_batch(whole)
    if not ranges:
        return ["1 = 0"]
    each = (f"id BETWEEN {first_id} AND {last_id}" for first_id, last_id in ranges)
    return ["(" + " OR ".join(each) + ")"]


def _joined(zones: Iterable[Zone]) -> list[tuple[int, int]]:
    """Return the ranges of ids, ascending; those that touch each other become one."""
    found: list[tuple[int, int]] = []
    for _, first_id, last_id in sorted(zones, key=lambda zone: zone.first_id):
        if found and first_id <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(found[-1][1], last_id)
        else:
            found.append((first_id, last_id))
    return found


def _zones(
    connection: Connection, whole: Batch | None, status: Sequence[str], column: str
) -> list[Zone]:
    greatest = _s[GREATEST[column]]
    wanted = select(greatest, _s.first_id, _s.last_id).where(greatest.is_not(None))
    return [Zone(*row) for row in connection.execute(_of(wanted, whole, status))]


def _of(wanted: Select[Any], whole: Batch | None, status: Sequence[str]) -> Select[Any]:
    """Select only the summaries of a batch whose answers have one of these statuses."""
    if whole is not None:
        wanted = wanted.where(_s.batch_id == whole.id)
    return wanted.where(or_(*map(_has, status))) if status else wanted


def _has(status: str) -> ColumnElement[bool]:
    """Return the condition that the answers of a summary have a status, or a shorthand of one."""
    if status == "unique":
        return and_(_s.status == Status.SOLVED, _s.solutions == 1, _s.complete == 1)
    if status == "multiple":
        return and_(_s.status == Status.SOLVED, _s.solutions == SEVERAL)
    return _s.status == status

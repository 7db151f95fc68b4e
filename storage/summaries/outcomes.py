"""Answers by outcome: those that have a summary in common."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from storage.summaries.summary import Column, Columns
from storage.values import Status

#: the statuses of answers that `retry` withdraws
PROVISIONAL = (Status.TIMEOUT, Status.FAILED)
#: stands for two or more solutions
SEVERAL = 2


class Outcome(NamedTuple):
    """What the answers of one summary have in common."""

    status: str
    complete: int  #: 1 if their search spaces were covered
    solutions: int | None  #: SEVERAL stands for two or more
    has_score: bool
    kind: str
    size: int | None


def by_outcome(found: Columns) -> Iterator[tuple[Outcome, Sequence[int]]]:
    """Yield each outcome, with the places of the answers that have it, ascending."""
    deciding = (
        *(found.status, found.complete, found.solutions, found.score),
        *(found.kind, found.size),
    )
    of_outcome = defaultdict[Outcome, list[int]](list)
    for alike, some in places_of(deciding).items():
        of_outcome[_outcome(*alike)] += some
    for outcome, each in of_outcome.items():
        yield outcome, sorted(each)


def places_of(deciding: Sequence[Column]) -> dict[tuple[Any, ...], Sequence[int]]:
    """Return the places of answers that agree in these columns."""
    if deciding[0] and all(column.count(column[0]) == len(column) for column in deciding):
        return {tuple(column[0] for column in deciding): range(len(deciding[0]))}
    places = defaultdict[tuple[Any, ...], list[int]](list)
    for place, values in enumerate(zip(*deciding, strict=True)):
        places[values].append(place)
    return dict(places)


def _outcome(
    status: str,
    complete: int,
    solutions: int | None,
    score: int | None,
    kind: str,
    size: int | None,
) -> Outcome:
    return Outcome(
        str(status),
        1 if complete else 0,
        solutions if solutions is None else min(solutions, SEVERAL),
        score is not None,
        kind,
        size,
    )


def at(found: Columns, places: Sequence[int]) -> Columns:
    """Return the answers at some places, in ascending order."""
    if len(places) == len(found.id):
        return found
    if len(places) == 1:  # `itemgetter` returns a tuple for several places only
        return Columns._make((column[places[0]],) for column in found)
    return Columns._make(map(itemgetter(*places), found))

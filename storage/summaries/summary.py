"""What a summary says of some answers: what they share, counts, extremes and distributions."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from heapq import nlargest
from itertools import chain, compress
from math import fsum, isclose
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from storage.summaries import histogram
from storage.summaries.histogram import Histogram
from storage.values import Kind, Status

#: the values of one column, one for each answer
Column = Sequence[Any]
Value = TypeVar("Value", int, float, str)

#: relative difference that the order of additions can make to a sum
TOLERANCE = 1e-9
#: number of puzzles in `Summary.hardest`
HARDEST_PUZZLES = 5
#: the statuses of answers that `retry` withdraws
PROVISIONAL = (Status.TIMEOUT, Status.FAILED)
#: stands for two or more solutions
SEVERAL = 2


class SummaryKey(NamedTuple):
    """What the answers of one summary have in common."""

    status: str
    complete: int  #: 1 if their search spaces were covered
    solutions: int | None  #: SEVERAL stands for two or more
    has_score: bool
    kind: str
    size: int | None


class Measured(NamedTuple):
    """The columns of answers from which summaries are made, of equal length."""

    id: Column
    kind: Column
    size: Column
    clues: Column
    status: Column
    complete: Column
    solutions: Column
    score: Column
    nodes: Column
    ms: Column
    solved_at: Column


class Effort(NamedTuple):
    """The search for a puzzle; the greatest is that of the hardest puzzle."""

    nodes: int
    ms: float
    negative_id: int  #: of two equal searches, the one for the smaller id is listed first


class Times(NamedTuple):
    """The solving times of puzzles that have a value in common, such as a number of clues."""

    puzzles: int
    total_ms: float
    max_ms: float


TimesBy = dict[int, Times]


@dataclass(frozen=True, slots=True)
class Summary:
    """Some answers; those without times, nodes or scores count only where these are not needed."""

    answers: int = 0
    timed: int = 0  #: answers with a time
    total_ms: float = 0.0
    max_ms: float | None = None
    max_nodes: int | None = None
    max_score: int | None = None
    grids: int = 0  #: solved grids with a number of nodes
    unguessed: int = 0  #: those of them that needed no search node
    last_at: str | None = None  #: when the last of them was stored
    ms: Histogram = field(default_factory=dict)  #: times by bucket of `histogram`
    nodes: Histogram = field(default_factory=dict)  #: numbers of nodes by bucket
    scores: Mapping[int, int] = field(default_factory=dict)  #: answers by score
    clues: TimesBy = field(default_factory=dict)  #: by number of clues
    sizes: TimesBy = field(default_factory=dict)  #: by side of the grid, or number of items
    hardest: list[Effort] = field(default_factory=list)  #: the greatest first


def by_key(found: Measured) -> Iterator[tuple[SummaryKey, Sequence[int]]]:
    """Yield each key, with the places of its answers, ascending."""
    deciding = found.status, found.complete, found.solutions, found.score, found.kind, found.size
    of_key = defaultdict[SummaryKey, list[int]](list)
    for (status, complete, solutions, score, *of_puzzle), some in places_of(deciding).items():
        shown = solutions if solutions is None else min(solutions, SEVERAL)
        key = SummaryKey(str(status), int(bool(complete)), shown, score is not None, *of_puzzle)
        of_key[key] += some
    for key, each in of_key.items():
        yield key, sorted(each)


def places_of(deciding: Sequence[Column]) -> dict[tuple[Any, ...], Sequence[int]]:
    """Return the places of answers that agree in these columns."""
    if all(map(is_constant, deciding)):
        return {tuple(column[0] for column in deciding): range(len(deciding[0]))}
    places = defaultdict[tuple[Any, ...], list[int]](list)
    for place, values in enumerate(zip(*deciding, strict=True)):
        places[values].append(place)
    return dict(places)


def at(found: Measured, places: Sequence[int]) -> Measured:
    """Return the answers at some places, in ascending order."""
    if len(places) == len(found.id):
        return found
    if len(places) == 1:  # `itemgetter` returns a tuple for several places only
        return Measured._make((column[places[0]],) for column in found)
    return Measured._make(map(itemgetter(*places), found))


def summarise(found: Measured) -> Summary:
    """Summarise answers that have the same status."""
    ms, clues, sizes, efforts, ids = _present(
        found.ms, found.clues, found.size, found.nodes, found.id
    )
    (nodes,) = _present(found.nodes)
    (scores,) = _present(found.score)
    of_grids = _of_grids(found) if found.status[0] == Status.SOLVED else ()
    all_times = _times(ms)
    return Summary(
        answers=len(found.id),
        timed=all_times.puzzles,
        total_ms=all_times.total_ms,
        max_ms=all_times.max_ms if ms else None,
        max_nodes=max(nodes, default=None),
        max_score=max(scores, default=None),
        grids=len(of_grids),
        unguessed=of_grids.count(0),
        last_at=max(set(found.solved_at)),
        ms=histogram.count(ms),
        nodes=histogram.count_integers(nodes),
        scores=Counter(scores),
        clues=_groups(clues, ms, all_times),
        sizes=_groups(sizes, ms, all_times),
        hardest=_hardest(*_present(efforts, ms, ids)),
    )


def merge(parts: Iterable[Summary]) -> Summary:
    """Return the summary of the answers of all parts."""
    each = list(parts)
    return Summary(
        answers=sum(one.answers for one in each),
        timed=sum(one.timed for one in each),
        total_ms=fsum(one.total_ms for one in each),
        max_ms=_greatest(one.max_ms for one in each),
        max_nodes=_greatest(one.max_nodes for one in each),
        max_score=_greatest(one.max_score for one in each),
        grids=sum(one.grids for one in each),
        unguessed=sum(one.unguessed for one in each),
        last_at=_greatest(one.last_at for one in each),
        ms=_added(one.ms for one in each),
        nodes=_added(one.nodes for one in each),
        scores=_added(one.scores for one in each),
        clues=merge_times(one.clues for one in each),
        sizes=merge_times(one.sizes for one in each),
        hardest=nlargest(HARDEST_PUZZLES, chain.from_iterable(one.hardest for one in each)),
    )


def differences(one: Summary, other: Summary) -> list[str]:
    """Return the names of the fields that differ by more than the rounding of sums."""
    names = (field.name for field in fields(Summary))
    return [name for name in names if not _equal(getattr(one, name), getattr(other, name))]


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=TOLERANCE)
    if isinstance(one, Times) and isinstance(other, Times):
        return all(map(_equal, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_equal(one[key], other[key]) for key in one)
    return bool(one == other)


def _present(by: Column, *others: Column) -> tuple[Column, ...]:
    """Return columns without the rows in which the first one is None."""
    if _are_numbers(by):
        return by, *others
    wanted = [value is not None for value in by]
    return tuple(list(compress(column, wanted)) for column in (by, *others))


def _are_numbers(column: Column) -> bool:
    """Return whether no value is None; the sum is the fastest way to know."""
    try:
        sum(column)
    except TypeError:
        return False
    return True


def _of_grids(found: Measured) -> Sequence[int]:
    nodes, kinds = _present(found.nodes, found.kind)
    if is_constant(kinds):
        return nodes if kinds[0] != Kind.COVER else ()
    return [number for number, kind in zip(nodes, kinds, strict=True) if kind != Kind.COVER]


def is_constant(column: Column) -> bool:
    """Return whether a column has values, all of which are equal."""
    return bool(column) and column.count(column[0]) == len(column)


def _groups(column: Column, ms: Sequence[float], all_times: Times) -> TimesBy:
    """Return the times by the values of a column; None is in no group."""
    if is_constant(column):
        return {} if column[0] is None else {column[0]: all_times}
    times: defaultdict[int | None, list[float]] = defaultdict(list)
    for value, one in zip(column, ms, strict=True):
        times[value].append(one)
    return {value: _times(some) for value, some in times.items() if value is not None}


def _times(ms: Sequence[float]) -> Times:
    return Times(len(ms), fsum(ms), max(ms, default=0.0))


def _hardest(nodes: Sequence[int], ms: Sequence[float], ids: Sequence[int]) -> list[Effort]:
    # The numbers alone are compared first: of thousands of puzzles few are among the hardest.
    (*_, least) = nlargest(HARDEST_PUZZLES, nodes) or [0]
    each = zip(nodes, ms, ids, strict=True)
    some = [Effort(n, time, -id_) for n, time, id_ in each if n >= least]
    return nlargest(HARDEST_PUZZLES, some)


def _greatest(values: Iterable[Value | None]) -> Value | None:
    return max((value for value in values if value is not None), default=None)


def _added(each: Iterable[Mapping[int, int]]) -> dict[int, int]:
    total: defaultdict[int, int] = defaultdict(int)
    for counts in each:
        for value, number in counts.items():
            total[value] += number
    return dict(total)


def merge_times(each: Iterable[Mapping[Value, Times]]) -> dict[Value, Times]:
    """Return the solving times of all puzzles with the same value, by value."""
    of_value: defaultdict[Value, list[Times]] = defaultdict(list)
    for groups in each:
        for value, times in groups.items():
            of_value[value].append(times)
    return {value: _sum(*zip(*some, strict=True)) for value, some in of_value.items()}


def _sum(puzzles: Iterable[int], total_ms: Iterable[float], max_ms: Iterable[float]) -> Times:
    return Times(sum(puzzles), fsum(total_ms), max(max_ms))

"""Count the covers of a problem, piece by piece.

With the count, covers drawn at random can be had, and the number of covers with each option.
"""

import random
from collections.abc import Generator, Iterator
from itertools import chain
from math import prod
from typing import NamedTuple, Self

from worker.counting.diagram import TooLarge
from worker.counting.from_diagram import covers_by_option
from worker.counting.order import Piece, pieces, whole
from worker.counting.race import Race
from worker.counting.table import default_memory
from worker.counting.ways import Plain, Remembering, States
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem
from worker.exact_cover.scores import Setup
from worker.exact_cover.solve import Begun, Found
from worker.exact_cover.state import Path
from worker.stopwatch import Stopwatch, nanoseconds


def count(problem: Problem, *, memory: int | None = None) -> Found:
    """Return the number of covers, without a time limit; see `in_slices`.

    >>> from worker.exact_cover.problem import number
    >>> dominoes = [[k, k + 1] for k in range(1, 100)]
    >>> count(number(100, 0, dominoes + dominoes)).found == 2**50
    True
    """
    return next(found for found in in_slices(problem, memory=memory) if found)


def in_slices(
    problem: Problem,
    *,
    memory: int | None = None,
    watch: Stopwatch | None = None,
    sample: int = 0,
    seed: int = 0,
    per_option: bool = False,
    begun: Begun | None = None,
) -> Iterator[Found | None]:
    """Count, and yield None after each slice of time but the last, then the result.

    Tables take at most `memory` bytes at a time. The result has one cover, if there is one; or
    `sample` covers, each drawn from all covers with equal probability. With `per_option` it has the
    number of covers with each option, unless that takes more than `memory` bytes. If the time is
    over, it has the covers that were counted until then. If only the number is wanted and the plain
    search is expected to end first, it stops when the kernels have used up the budget of `watch`;
    the result has what is left of it. It goes on from a plain search that has `begun`, and has
    taken as long as `watch` shows.
    """
    watch = watch or Stopwatch()
    slice_ns = watch.slice_ns
    memory = default_memory() if memory is None else memory
    if watch.is_over and begun is None:  # reading the problem took all the time
        yield Found(stops.TIMED_OUT, 0, [], 0, watch.ns)
        return
    plain = Plain(whole(problem), begun, watch.ns) if begun is not None else None
    counting = Counting(problem, memory, watch, plain)
    while not counting.ended:
        if watch.is_over:
            yield counting.found(stops.TIMED_OUT)
            return
        counting.advance(min(slice_ns, watch.left_ns))
        may_stop = counting.search_ns >= nanoseconds(watch.budget) and not (sample or per_option)
        if may_stop and (left := counting.left()):
            yield left
            return
        if sample or per_option or not counting.ended:
            yield None
    found = counting.found(stops.EXHAUSTED)
    if sample and found.found:
        paths = yield from counting.drawn(sample, seed, slice_ns)
        status = stops.EXHAUSTED if len(paths) == sample else stops.TIMED_OUT
        found = found._replace(status=status, paths=[(path, 0) for path in paths])
    if per_option:
        by_option = yield from counting.by_option(slice_ns)
        status = stops.TIMED_OUT if by_option is None and watch.is_over else found.status
        found = found._replace(status=status, by_option=by_option)
    yield found._replace(ns=watch.ns)


class Counted(NamedTuple):
    """A piece of which all covers are counted."""

    piece: Piece
    covers: int
    path: Path | None  #: one of them
    nodes: int
    by_size: bool  #: whether to branch on the smallest item, not on the first

    @classmethod
    def of(cls, race: Race) -> Self:
        """Return what a race has brought that has ended."""
        leader = race.leader
        return cls(race.piece, race.covers, race.path, leader.nodes, leader.by_size)


class Counting:
    """A count that can be continued: a race for each piece of the problem, one after the other.

    There are tables for one piece at a time.
    """

    def __init__(
        self, problem: Problem, memory: int, watch: Stopwatch, plain: Plain | None = None
    ) -> None:
        self._memory, self._watch = memory, watch
        self._race = Race(whole(problem), plain)
        self._pieces: Iterator[Piece] | None = None  #: those without a race; None: not divided
        self._counted: list[Counted] = []
        self._options = problem.cost.size

    @property
    def ended(self) -> bool:
        """Whether the number of covers is known."""
        return self._race.ended

    @property
    def search_ns(self) -> int:
        """The time of this race's ways in their kernels, which tells what is known of them."""
        return sum(way.ns for way in self._race.ways)

    def advance(self, slice_ns: int) -> None:
        """Count for at most `slice_ns`."""
        if self._race.is_slow and self._pieces is None:
            self._divide()
        elif self._race.is_slow:
            self._race.remember(self._race.piece, self._memory)
        race = self._race
        race.advance(slice_ns)
        if race.ended:
            self._counted.append(Counted.of(race))
            if race.covers and (piece := next(self._pieces or iter(()), None)):
                self._race = Race(piece)

    def left(self) -> Found | None:
        """Return the result of the plain search of the whole problem, if that leads and may stop.

        Ways that take part must have had a turn, or nothing is known of them; so must those that
        will take part: the first slice may have gone by while a kernel was loaded.
        """
        race, plain = self._race, self._race.plain
        is_known = all(way.nodes for way in race.ways)
        is_whole = self._pieces is None or race.piece.options.size == self._options
        if race.is_slow or not (is_whole and is_known and race.leader is plain):
            return None
        frontier = plain.frontier()
        return frontier and Found(
            stops.PAUSED,
            plain.covers,
            [] if plain.path is None else [(plain.path, 0)],
            plain.nodes,
            self._watch.ns,
            frontier,
            Setup(plain.pairs_compared),
        )

    def found(self, status: int) -> Found:
        """Return the result; unless it has ended, with the covers counted so far."""
        race, counted = self._race, list(self._counted)
        if not self.ended:
            is_last = next(self._pieces or iter(()), None) is None
            known = Counted.of(race)
            counted.append(known if is_last else known._replace(covers=0, path=None))
        paths = [one.path for one in counted if one.path is not None]
        is_cover = len(paths) == len(counted)
        return Found(
            status,
            prod(one.covers for one in counted),
            [(tuple(chain.from_iterable(paths)), 0)] if is_cover else [],
            sum(one.nodes for one in counted),
            self._watch.ns,
        )

    def drawn(self, size: int, seed: int, slice_ns: int) -> Generator[None, None, list[Path]]:
        """Yield after each slice of time; return `size` random covers, or fewer if time is over.

        There must be a cover.
        """
        chance = random.Random(seed)  # noqa: S311 # no secret depends on it
        paths, pause = [list[int]() for _ in range(size)], self._watch.wall_ns + slice_ns
        for place, one in enumerate(self._counted, 1):
            way = self._drawing(one)
            for k, path in enumerate(paths):
                way.look_for(chance.randrange(one.covers))
                ended = False
                while not ended:
                    ended = way.advance(slice_ns)
                    if self._watch.is_over:
                        return [tuple(path) for path in paths[:k] if place == len(self._counted)]
                    if self._watch.wall_ns >= pause:
                        yield
                        pause = self._watch.wall_ns + slice_ns
                path.extend(way.path or ())
        return [tuple(path) for path in paths]

    def _drawing(self, one: Counted) -> Remembering:
        """Return a search that can look for any cover of a piece."""
        leader = self._race.leader
        if len(self._counted) == 1 and isinstance(leader, Remembering):
            return leader.again()
        self._race.release()
        return Remembering(one.piece, States(one.piece, self._memory), by_size=one.by_size)

    def by_option(self, slice_ns: int) -> Generator[None, None, list[int] | None]:
        """Yield after each slice of time; return the covers with each option.

        Return None if there is too little memory or time for it.
        """
        with_option, total = [0] * self._options, prod(one.covers for one in self._counted)
        self._race.release()
        if self._options * total.bit_length() // 8 > self._memory:
            return None
        for one in self._counted if total else ():
            steps = covers_by_option(
                one.piece, one.covers, self._memory, by_size=one.by_size, slice_ns=slice_ns
            )
            times = total // one.covers
            try:
                for found in steps:
                    if self._watch.is_over:
                        return None
                    yield
                    if found is not None:
                        for option, covers in zip(one.piece.options.tolist(), found, strict=True):
                            with_option[option] = covers * times
            except TooLarge:
                return None
        return with_option

    def _divide(self) -> None:
        """Divide the problem into its pieces; or remember states, if there is only one."""
        race, found = self._race, pieces(self._race.piece.problem)
        first, second = next(found), next(found, None)
        if second is None:
            race.remember(first, self._memory)
            self._pieces = iter(())
        else:
            self._race, self._pieces = Race(first), chain([second], found)

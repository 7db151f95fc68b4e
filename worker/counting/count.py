"""Count the covers of a problem, piece by piece.

With the count, covers drawn at random can be had, and the number of covers with each option.
"""

import random
import time
from collections.abc import Iterable, Iterator
from math import inf, prod
from typing import TypeVar

from worker.counting.by_option import covers_by_option
from worker.counting.diagram import TooLarge
from worker.counting.order import Piece, pieces, whole
from worker.counting.race import Race
from worker.counting.table import default_memory
from worker.counting.ways import Plain
from worker.exact_cover.parts.frontier import Frontier
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import LONGEST_TIMEOUT_SECONDS, Found, nanoseconds
from worker.exact_cover.state import EXHAUSTED, PAUSED, TIMED_OUT, Path

T = TypeVar("T")


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
    slice_seconds: float = 0.25,
    timeout: float = LONGEST_TIMEOUT_SECONDS,
    budget: float = inf,
    sample: int = 0,
    seed: int = 0,
    per_option: bool = False,
    plain: Plain | None = None,
) -> Iterator[Found | None]:
    """Count, and yield None after each slice of time but the last, then the result.

    The table of states takes at most `memory` bytes. The result has one cover, if there is one; or
    `sample` covers, each drawn from all covers with equal probability. With `per_option` it has the
    number of covers with each option, unless that takes more than `memory` bytes. If the time is
    over, it has the covers that were counted until then. If only the number is wanted and the plain
    search is expected to end first, it stops after `budget` seconds, and the result has what is
    left of it. `plain` continues a plain search of the problem that has begun.
    """
    slice_ns, timeout_ns, budget_ns = map(nanoseconds, (slice_seconds, timeout, budget))
    counting = Counting(problem, default_memory() if memory is None else memory, plain)
    while not counting.ended:
        left = timeout_ns - counting.wall_ns
        if left <= 0:
            yield counting.found(TIMED_OUT)
            return
        counting.advance(min(slice_ns, left))
        is_over = counting.wall_ns >= budget_ns and not (sample or per_option)
        if is_over and (frontier := counting.frontier()):
            yield counting.left(frontier)
            return
        if sample or per_option or not counting.ended:
            yield None
    drawn = counting.drawn(sample, seed, slice_ns) if sample else None
    by_option = counting.by_option(slice_ns) if per_option else None
    yield from _extended(counting, timeout_ns, drawn, by_option)


def _extended(
    counting: "Counting",
    timeout_ns: int,
    drawn: Iterator[Path | None] | None,
    by_option: Iterator[list[int] | None] | None,
) -> Iterator[Found | None]:
    """Yield None after each slice of time, then the count with what is wanted beside it."""
    found, paths = counting.found(EXHAUSTED), list[Path]()
    for path in counting.timed(drawn or (), timeout_ns):
        if path is None:
            yield None
        else:
            paths.append(path)
    if drawn:
        found = found._replace(paths=[(path, 0) for path in paths])
    for numbers in counting.timed(by_option or (), timeout_ns):
        yield None
        found = found._replace(by_option=numbers)
    status = TIMED_OUT if counting.timed_out else EXHAUSTED
    yield found._replace(status=status, ns=counting.ns)


class Counting:
    """A count that can be continued: a race for each piece of the problem, one after the other."""

    def __init__(self, problem: Problem, memory: int, plain: Plain | None = None) -> None:
        self._memory = memory
        self._races = [Race(whole(problem), plain)]
        self._is_divided = False  #: the races are those of pieces
        self._pieces: list[Piece] = []  #: those without a race so far
        self._options = problem.cost.size
        self._other_ns = 0  #: time that no race took
        self._extra_ns = 0  #: CPU time of what is found beside the number
        self.timed_out = False  #: before everything was found that is wanted beside the number

    @property
    def wall_ns(self) -> int:
        """The time that it took, in nanoseconds."""
        return self._other_ns + sum(way.wall_ns for race in self._races for way in race.ways)

    @property
    def ns(self) -> int:
        """The CPU time that it took, in nanoseconds."""
        return self._extra_ns + sum(way.ns for race in self._races for way in race.ways)

    @property
    def ended(self) -> bool:
        """Whether the number of covers is known."""
        race = self._races[-1]
        return race.ended and (not self._pieces or race.covers == 0)

    def advance(self, slice_ns: int) -> None:
        """Count for at most so many nanoseconds."""
        race = self._races[-1]
        if race.ended:
            self._races.append(Race(self._pieces.pop(0)))
        elif race.is_slow and self._is_divided:
            race.remember(race.piece, self._memory)
        elif race.is_slow:
            self._divide(race)
        self._races[-1].advance(slice_ns)

    def frontier(self) -> Frontier | None:
        """Return what is left of the plain search of the whole problem, if that leads.

        Ways that take part must have had a turn, or nothing is known of them.
        """
        race = self._races[-1]
        is_known = all(way.nodes for way in race.ways)
        if self._is_divided or race.leader is not race.plain or not is_known:
            return None
        return race.plain.frontier()

    def left(self, frontier: Frontier) -> Found:
        """Return the result of the plain search, of which this is left."""
        plain = self._races[0].plain
        paths = [] if plain.path is None else [(plain.path, 0)]
        found = self.found(PAUSED)
        return found._replace(found=plain.covers, paths=paths, frontier=frontier)

    def found(self, status: int) -> Found:
        """Return the result; unless it has ended, with the covers counted so far."""
        paths = [race.path for race in self._races]
        known = [path for path in paths if path is not None]
        is_cover = len(known) == len(paths) and not self._pieces
        return Found(
            status,
            0 if self._pieces else prod(race.covers for race in self._races),
            [(sum(known, ()), 0)] if is_cover else [],
            sum(race.leader.nodes for race in self._races),
            self.ns,
            pairs_compared=self._races[0].plain.pairs_compared,
        )

    def drawn(self, size: int, seed: int, slice_ns: int) -> Iterator[Path | None]:
        """Yield so many random covers, and None after each slice of time without one.

        Yields nothing if there is no cover.
        """
        chance = random.Random(seed)  # noqa: S311 # no secret depends on it
        is_drawn = prod(race.covers for race in self._races) > 0
        races = [(race.covers, race.drawing(self._memory)) for race in self._races if is_drawn]
        for _ in range(size if is_drawn else 0):
            path: Path = ()
            for covers, way in races:
                way.look_for(chance.randrange(covers))
                while not way.advance(slice_ns):
                    yield None
                path += way.path or ()
            yield path

    def by_option(self, slice_ns: int) -> Iterator[list[int] | None]:
        """Yield None after each slice of time, then the covers with each option.

        Yields no list if there is too little memory for it.
        """
        with_option, total = [0] * self._options, prod(race.covers for race in self._races)
        for race in self._races if total else ():
            steps = covers_by_option(
                race.piece, race.covers, self._memory, by_size=race.by_size, slice_ns=slice_ns
            )
            try:
                for found in steps:
                    if found is None:
                        yield None
                        continue
                    for option, covers in zip(race.piece.options.tolist(), found, strict=True):
                        with_option[option] = covers * (total // race.covers)
            except TooLarge:
                return
        yield with_option

    def timed(self, steps: Iterable[T], timeout_ns: int) -> Iterator[T]:
        """Yield the results of steps, and measure them; end early if the time is over."""
        wall, cpu = time.perf_counter_ns(), time.thread_time_ns()
        for step in steps:
            self._other_ns += time.perf_counter_ns() - wall
            self._extra_ns += time.thread_time_ns() - cpu
            self.timed_out = self.wall_ns >= timeout_ns
            if self.timed_out:
                return
            yield step
            wall, cpu = time.perf_counter_ns(), time.thread_time_ns()

    def _divide(self, race: Race) -> None:
        """Divide the problem into its pieces; or remember states, if there is only one."""
        began = time.perf_counter_ns()
        self._pieces = list(pieces(race.piece.problem))
        if len(self._pieces) == 1:
            race.remember(self._pieces.pop(), self._memory)
        else:
            self._other_ns = race.plain.wall_ns
            self._races, self._is_divided = [Race(self._pieces.pop(0))], True
        self._other_ns += time.perf_counter_ns() - began

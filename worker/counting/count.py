"""Count the covers of a problem, by whichever way ends first.

Nobody can tell beforehand which way is best, and they differ by any factor in both directions. So
they take turns, and each keeps what it has: the one that is expected to end first gets most of the
time. The expectation is a rough guess from the share of its tree that a way has done; only the
time that a count takes depends on it.
"""

import random
import time
from collections.abc import Iterator
from math import inf, prod

from worker.counting.order import Piece, pieces, whole
from worker.counting.table import default_memory
from worker.counting.ways import Plain, Remembering, States, Way
from worker.exact_cover.parts.frontier import Frontier
from worker.exact_cover.problem import Problem
from worker.exact_cover.solve import LONGEST_TIMEOUT_SECONDS, Found, nanoseconds
from worker.exact_cover.state import EXHAUSTED, PAUSED, TIMED_OUT, Path

#: nanoseconds for which the plain search is alone; or so many times its layout, if that is more
HEAD_START_NS, HEAD_START_LAYOUTS = 50_000_000, 8
#: it stays alone if it is expected to end within so many times the time that it took already, but
#: not for longer than so many head starts: the expectation may be wrong
NEARLY_DONE, MAX_HEAD_STARTS = 4, 16
#: nanoseconds of a first turn; each further turn is half as long as all of its way together
FIRST_TURN_NS = 10_000_000
#: a way with a table leads only if it is expected to take less than this share of the plain
#: search's time: they often look alike at first, and then a table saves little
LEAST_GAIN = 0.25
#: the plain search never leads if it is expected to take more nanoseconds, which are four months;
#: what a table saves cannot be foreseen
HOPELESS_NS = 1e16
#: the way that leads gets so many times the time of another; and of one that is expected to take
#: more than HOPELESS times as long
FAVOUR, GREAT_FAVOUR = 16, 64
HOPELESS = 1000


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
) -> Iterator[Found | None]:
    """Count, and yield None after each slice of time but the last, then the result.

    The table of states takes at most `memory` bytes. The result has one cover, if there is one; or
    `sample` covers, each drawn from all covers with equal probability. If the time is over, it has
    the covers that were counted until then. If no sample is wanted and the plain search is expected
    to end first, it stops after `budget` seconds, and the result has what is left of it.
    """
    slice_ns, timeout_ns, budget_ns = map(nanoseconds, (slice_seconds, timeout, budget))
    counting = Counting(problem, default_memory() if memory is None else memory)
    while not counting.ended:
        left = timeout_ns - counting.wall_ns
        if left <= 0:
            yield counting.found(TIMED_OUT)
            return
        counting.advance(min(slice_ns, left))
        is_over = counting.wall_ns >= budget_ns and not sample
        if is_over and (frontier := counting.frontier()):
            yield counting.left(frontier)
            return
        if sample or not counting.ended:
            yield None
    found, paths = counting.found(EXHAUSTED), list[Path]()
    for path in counting.drawn(sample if found.found else 0, seed, slice_ns):
        if counting.wall_ns >= timeout_ns:
            found = found._replace(status=TIMED_OUT)
            break
        if path is None:
            yield None
        else:
            paths.append(path)
    yield found._replace(paths=[(path, 0) for path in paths]) if sample else found


class Race:
    """The ways of counting the covers of one piece, which take turns."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.plain = Plain(piece)
        self.ended = False  #: the leader has counted them all
        self._expected: dict[Way, float] = {self.plain: inf}  #: nanoseconds that it will have taken
        self._head_start_ns = max(HEAD_START_NS, HEAD_START_LAYOUTS * self.plain.wall_ns)

    @property
    def ways(self) -> list[Way]:
        """The ways that take part."""
        return list(self._expected)

    @property
    def leader(self) -> Way:
        """The way that is expected to end first; or that has ended."""
        return min(self._expected, key=self._weighed)

    @property
    def covers(self) -> int:
        """The covers that were counted so far; all if it has ended."""
        return self.leader.covers if self.ended else max(way.covers for way in self.ways)

    @property
    def path(self) -> Path | None:
        """A cover: option numbers from 0; None if no way came to one."""
        return next((way.path for way in self.ways if way.path is not None), None)

    def drawing(self, memory: int) -> Remembering:
        """Return a search that can look for any cover, after the race has ended."""
        leader = self.leader
        if isinstance(leader, Remembering):
            return leader.again()
        return Remembering(self.piece, States(self.piece, memory), by_size=True)

    @property
    def is_slow(self) -> bool:
        """Whether the plain search is alone, and has used up its head start."""
        took, start = self.plain.wall_ns, self._head_start_ns
        is_nearly_done = self._expected[self.plain] < NEARLY_DONE * took
        is_over = took >= start and (not is_nearly_done or took >= MAX_HEAD_STARTS * start)
        return is_over and len(self.ways) == 1

    def remember(self, piece: Piece, memory: int) -> None:
        """Let ways that remember states take part; the piece is the same, in a good order."""
        states = States(piece, memory)
        for by_size in (False, True):
            self._expected[Remembering(piece, states, by_size=by_size)] = inf

    def advance(self, slice_ns: int) -> None:
        """Let one way take a turn, of at most so many nanoseconds."""
        way = min(self.ways, key=self._turn)
        self.ended = way.advance(min(slice_ns, max(FIRST_TURN_NS, way.wall_ns // 2)))
        share = 0.0 if self.ended else way.share()
        self._expected[way] = 0 if self.ended else way.wall_ns / share if share else inf

    def _weighed(self, way: Way) -> float:
        """Return the nanoseconds that a way is expected to take, in favour of the plain search."""
        if way is not self.plain:
            return self._expected[way]
        return inf if self._expected[way] > HOPELESS_NS else self._expected[way] * LEAST_GAIN

    def _turn(self, way: Way) -> tuple[bool, int]:
        """Return what is least for the way whose turn it is: each has a first one."""
        leader = self.leader
        is_hopeless = self._expected[way] > HOPELESS * self._expected[leader]
        handicap = 1 if way is leader else GREAT_FAVOUR if is_hopeless else FAVOUR
        return way.wall_ns >= FIRST_TURN_NS, way.wall_ns * handicap


class Counting:
    """A count that can be continued: a race for each piece of the problem, one after the other."""

    def __init__(self, problem: Problem, memory: int) -> None:
        self._memory = memory
        self._races = [Race(whole(problem))]
        self._is_divided = False  #: the races are those of pieces
        self._pieces: list[Piece] = []  #: those without a race so far
        self._other_ns = 0  #: time that no race took

    @property
    def wall_ns(self) -> int:
        """The time that it took, in nanoseconds."""
        return self._other_ns + sum(way.wall_ns for race in self._races for way in race.ways)

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
        ways = [way for race in self._races for way in race.ways]
        return Found(
            status,
            0 if self._pieces else prod(race.covers for race in self._races),
            [(sum(known, ()), 0)] if is_cover else [],
            sum(race.leader.nodes for race in self._races),
            sum(way.ns for way in ways),
            pairs_compared=self._races[0].plain.pairs_compared,
        )

    def drawn(self, size: int, seed: int, slice_ns: int) -> Iterator[Path | None]:
        """Yield so many random covers, and None after each slice of time without one."""
        chance = random.Random(seed)  # noqa: S311 # no secret depends on it
        races = [(race.covers, race.drawing(self._memory)) for race in self._races if size]
        for _ in range(size):
            path: Path = ()
            for covers, way in races:
                began = way.wall_ns
                way.look_for(chance.randrange(covers))
                while not way.advance(slice_ns):
                    yield None
                self._other_ns += way.wall_ns - began
                path += way.path or ()
            yield path

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

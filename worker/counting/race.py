"""The ways of counting the covers of one piece take turns, until one of them ends.

Nobody can tell beforehand which way is best, and they differ by any factor in both directions. So
they take turns, and each keeps what it has: the one that is expected to end first gets most of the
time. The expectation is a rough guess from the share of its tree that a way has done; only the
time that a count takes depends on it.
"""

from math import inf

from worker.counting.order import Piece
from worker.counting.ways import Plain, Remembering, States, Way
from worker.exact_cover.state import Path

#: nanoseconds for which the plain search is alone; or 8 times its layout, if that is more
HEAD_START_NS, HEAD_START_LAYOUTS = 50_000_000, 8
#: it stays alone if it is expected to end within 4 times the time that it took already, but
#: not for longer than 16 head starts: the expectation may be wrong
NEARLY_DONE, MAX_HEAD_STARTS = 4, 16
#: nanoseconds of a first turn; each further turn is half as long as all of its way together
FIRST_TURN_NS = 10_000_000
#: a way with a table leads only if it is expected to take less than this share of the plain
#: search's time: they often look alike at first, and then a table saves little
LEAST_GAIN = 0.25
#: the plain search never leads if it is expected to take more nanoseconds, which are four months;
#: what a table saves cannot be foreseen
HOPELESS_NS = 1e16
#: the way that leads gets 16 times the time of another, and 64 times that of one that is expected
#: to take more than HOPELESS times as long
FAVOUR, GREAT_FAVOUR = 16, 64
HOPELESS = 1000


class Race:
    """The ways of counting the covers of one piece, which take turns."""

    def __init__(self, piece: Piece, plain: Plain | None = None) -> None:
        """Begin a race, or continue one in which only the plain search has taken part."""
        self.piece = piece
        self.plain = plain or Plain(piece)
        self.ended = False  #: the leader has counted them all
        self._expected: dict[Way, float] = {self.plain: inf}  #: nanoseconds that it will have taken
        layouts = 0 if plain else HEAD_START_LAYOUTS * self.plain.wall_ns
        self._head_start_ns = max(HEAD_START_NS, layouts)

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
        return max(way.covers for way in self.ways)

    @property
    def path(self) -> Path | None:
        """A cover: option numbers from 0; None if no way came to one."""
        return next((way.path for way in self.ways if way.path is not None), None)

    def release(self) -> None:
        """Free the tables of states, after the race has ended; nothing else is asked then."""
        self._expected = {self.plain: 0.0}

    @property
    def is_slow(self) -> bool:
        """Whether the plain search is alone, and has used up its head start."""
        took, start = self.plain.wall_ns, self._head_start_ns
        is_nearly_done = self._expected[self.plain] < NEARLY_DONE * took
        is_over = took >= start and (not is_nearly_done or took >= MAX_HEAD_STARTS * start)
        return is_over and len(self.ways) == 1

    def remember(self, piece: Piece, memory: int) -> None:
        """Let ways that remember states take part; the piece is the same, in a good order."""
        self.piece, states = piece, States(piece, memory)
        for by_size in (False, True):
            self._expected[Remembering(piece, states, by_size=by_size)] = inf

    def advance(self, slice_ns: int) -> None:
        """Let one way take a turn of at most `slice_ns`."""
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

"""One search on many processes, with a simulated clock.

The tree is a recorded one; how parts are divided, and how long their turns last, is decided by the
code of the worker.  Simulated are the work, the messages, and the transactions: those that exclude
each other wait for each other.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from random import Random
from typing import NamedTuple

from tests.benchmarks.simulation.transactions import Costs, Transaction
from tests.benchmarks.simulation.trees import Enlarged
from tests.benchmarks.simulation.walk import Walked, walk
from worker.attempt import dividing
from worker.exact_cover.parts.frontier import WHOLE, Part, decode
from worker.queue.dispatch import WAITING_PER_PROCESS
from worker.tasks import MAX_PUBLISHED_CHUNKS

#: seconds over which the highest rate of transactions is averaged
PEAK_SECONDS = 5


@dataclass(frozen=True)
class Machines:
    """Where the search runs."""

    processes: int
    costs: Costs
    round_trip: float = 0.0  #: seconds that the network adds to each statement
    processes_per_worker: int = 8
    message: float = 0.008  #: seconds until a process that is free begins with a part that waits
    enter: float = 0.005  #: seconds to lay out the puzzle and to follow the path of a part
    budget: float = 2.0  #: the usual seconds after which the search is left to parts
    turn: float = 1.0  #: the usual seconds of a turn
    sweep: float = 5.0  #: seconds between two sweeps of a worker
    seed: int = 0  #: of the choice of a time among the measured ones

    @property
    def database(self) -> str:
        """The kind of the database."""
        return "sqlite" if self.costs.shared else "postgresql"


@dataclass
class Result:
    """What a simulated search took."""

    processes: int
    seconds: float = 0.0  #: from the beginning to the answer
    busy: float = 0.0  #: seconds of search, of all processes together
    turns: int = 0
    transactions: int = 0
    messages: int = 0
    parts: int = 1  #: made
    most_open: int = 1
    row: float = 0.0  #: seconds for which the row of the search was locked
    all_busy_at: float = 0.0  #: when all processes were first busy
    tail: float = 0.0  #: seconds at the end with more than a tenth of the processes free
    peak: float = 0.0  #: transactions per second in the busiest PEAK_SECONDS
    open: list[tuple[float, int]] = field(default_factory=list)  #: seconds, parts not ended

    @property
    def efficiency(self) -> float:
        """The share of their time for which the processes searched."""
        return self.busy / (self.processes * self.seconds)


@dataclass
class _Lock:
    """Something that one transaction uses at a time, the others waiting in their order."""

    free_at: float = 0.0
    used: float = 0.0

    def use(self, at: float, seconds: float) -> float:
        """Return when a transaction that asks at a time, and takes so many seconds, ends."""
        self.free_at = max(at, self.free_at) + seconds
        self.used += seconds
        return self.free_at


class _Numbered(NamedTuple):
    """A part and the number of its chunk."""

    number: int
    part: Part


@dataclass
class Simulation:
    """The state of a simulated search."""

    tree: Enlarged
    machines: Machines
    pieces: Callable[[int, int], int] = dividing.pieces
    turn_seconds: Callable[[float, int, int, str], float] = dividing.turn_seconds

    def __post_init__(self) -> None:
        self.now = 0.0
        self._result = Result(self.machines.processes)
        self._events = list[tuple[float, int, Callable[[], None]]]()
        self._order, self._numbers = count(), count(1)
        self._chance = Random(self.machines.seed)
        self._row = _Lock()
        self._publishing = self._row if self.machines.costs.shared else _Lock()
        self._new = list[_Numbered]()
        self._sent = deque[_Numbered]()
        self._free = self.machines.processes - 1
        self._open = 1
        self._last_busy = 0.0
        self._rate = Counter[int]()

    def run(self) -> Result:
        """Simulate the search until its answer is written."""
        machines, result = self.machines, self._result
        budget = dividing.budget(machines.budget, machines.processes, waiting=0)
        self._search(0.0, _Numbered(0, WHOLE), budget)
        workers = max(1, machines.processes // machines.processes_per_worker)
        for worker in range(workers):
            self._at(machines.sweep * (worker + 0.5) / workers, self._sweep)
        while self._open:
            self.now, _, action = heappop(self._events)
            if not result.open or self.now > result.open[-1][0] + 1:
                result.open.append((self.now, self._open))
            action()
        result.seconds, result.row = self.now, self._row.used
        result.tail = self.now - self._last_busy
        result.peak = max(self._rate.values()) / PEAK_SECONDS
        return result

    def _at(self, time: float, action: Callable[[], None]) -> None:
        heappush(self._events, (time, next(self._order), action))

    def _count(self, time: float) -> None:
        """Count a transaction that ends at a time."""
        self._result.transactions += 1
        self._rate[int(time / PEAK_SECONDS)] += 1

    def _took(self, one: Transaction) -> float:
        """Return the seconds of a transaction: one of the measured times, and the network's."""
        return self._chance.choice(one.seconds) + one.statements * self.machines.round_trip

    def _search(self, start: float, one: _Numbered, seconds: float) -> None:
        walked = walk(self.tree, decode(one.part.levels), seconds)
        self._at(start + walked.seconds, lambda: self._end_turn(one.number, walked))

    def _end_turn(self, number: int, walked: Walked) -> None:
        result, costs, processes = self._result, self.machines.costs, self.machines.processes
        result.turns += 1
        result.busy += walked.seconds
        rest: tuple[Part, ...] = ()
        if walked.frontier:
            enough = len(self._new) >= dividing.ENOUGH_WAITING * processes
            rest = walked.frontier.split(1 if enough else self.pieces(processes, self._open))
        self._open += len(rest) - 1
        further = max(0, len(rest) - 1)
        result.parts += further
        result.most_open = max(result.most_open, self._open)
        seconds = self._took(costs.go_on if rest else costs.end) + costs.piece * further
        before = (1 - costs.held) * seconds
        stored = self._row.use(self.now + before, seconds - before)
        self._count(stored)
        self._at(stored, lambda: self._stored(number, rest))

    def _stored(self, number: int, rest: Sequence[Part]) -> None:
        for place, part in enumerate(rest):
            heappush(self._new, _Numbered(next(self._numbers) if place else number, part))
        self._at(self._publish(MAX_PUBLISHED_CHUNKS), self._be_free)

    def _publish(self, most: int) -> float:
        """Publish new parts if few wait, and return when that is done."""
        target = WAITING_PER_PROCESS * self.machines.processes
        waiting, costs = len(self._sent), self.machines.costs
        if waiting > target // 2:
            return self.now
        if not costs.shared and self._publishing.free_at > self.now:
            self._count(self.now)
            # It skips what another process has locked.
            return self.now + self._took(costs.take)
        most = min(most, target - waiting, len(self._new))
        claimed = [heappop(self._new) for _ in range(most)]
        sent = self._publishing.use(self.now, self._took(costs.publish))
        self._count(sent)
        self._at(sent, lambda: self._arrive(claimed))
        return sent

    def _sweep(self) -> None:
        self._publish(WAITING_PER_PROCESS * self.machines.processes)
        self._at(self.now + self.machines.sweep, self._sweep)

    def _arrive(self, claimed: Sequence[_Numbered]) -> None:
        self._sent += claimed
        self._result.messages += len(claimed)
        self._deliver()

    def _be_free(self) -> None:
        self._free += 1
        self._deliver()

    def _deliver(self) -> None:
        machines, costs, result = self.machines, self.machines.costs, self._result
        while self._sent and self._free:
            one = self._sent.popleft()
            self._free -= 1
            at = self.now + machines.message
            seconds = self._took(costs.take)
            taken = self._row.use(at, seconds) if costs.shared else at + seconds
            self._count(taken)
            seconds = self.turn_seconds(
                machines.turn, machines.processes, self._open, machines.database
            )
            self._search(taken + machines.enter, one, seconds)
        if self._free == 0 and not result.all_busy_at:
            result.all_busy_at = self.now
        if self._free <= machines.processes / 10:
            self._last_busy = self.now

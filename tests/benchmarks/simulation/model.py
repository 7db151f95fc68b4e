"""The simulation: one search on many processes, on a simulated clock.

The tree is a recorded one, and `Frontier.split` and the policy are the real ones.  Simulated are the
work, the transactions, each of which waits for those that exclude it, and the messages.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from tests.benchmarks.simulation.transactions import Costs
from tests.benchmarks.simulation.trees import Enlarged
from tests.benchmarks.simulation.walk import Walked, walk
from worker.exact_cover.parts.frontier import WHOLE, Part, decode


class State(NamedTuple):
    processes: int
    open: int
    waiting: int
    seconds_per_share: float


@dataclass(frozen=True)
class Policy:
    """What decides how a search is divided; each can be varied."""

    pieces: Callable[[State, float], int]
    turn: Callable[[State], float]
    order: Callable[[int, Part], float] = lambda number, part: number
    most_published: int = 4
    waiting_per_process: int = 2


@dataclass(frozen=True)
class Machines:
    processes: int
    costs: Costs
    per_host: int = 8
    message: float = 0.003  #: seconds from the end of a turn until the next message is received
    enter: float = 0.003  #: seconds to lay out a problem and follow the path of a part
    budget: float = 2.0  #: seconds of the first turn
    sweep: float = 5.0  #: seconds between two sweeps of a worker


class Lock:
    def __init__(self) -> None:
        self.free = 0.0
        self.busy = 0.0

    def use(self, at: float, seconds: float) -> float:
        self.free = max(at, self.free) + seconds
        self.busy += seconds
        return self.free


@dataclass
class Result:
    makespan: float = 0.0
    busy: float = 0.0
    turns: int = 0
    transactions: int = 0
    parts: int = 0
    most_open: int = 0
    timeline: list[tuple[float, int, int, int]] = field(default_factory=list)
    db_busy: float = 0.0
    full_at: float = -1.0
    tail: float = 0.0
    peak: int = 0
    short: int = 0


class Simulation:
    def __init__(self, tree: Enlarged, machines: Machines, policy: Policy) -> None:
        self.tree, self.machines, self.policy = tree, machines, policy
        self.now = 0.0
        self.row, self.batch = Lock(), Lock()
        if machines.costs.shared:
            self.batch = self.row
        self.events: list = []
        self.number = count()
        self.new: list = []
        self.sent: deque = deque()
        self.idle = machines.processes - 1
        self.open = 1
        self.done_share = 0.0
        self.result = Result()
        self.persec: dict[int, int] = {}
        self.next_sample = 0.0
        self.last_full = 0.0

    def run(self) -> Result:
        m, r = self.machines, self.result
        self.begin(0.0, 0, WHOLE, m.budget)
        for k in range(max(1, m.processes // m.per_host)):
            self.at(m.sweep * (k + 0.5) / max(1, m.processes // m.per_host), self.sweep, ())
        while self.open:
            self.now, _, action, arguments = heappop(self.events)
            if self.now >= self.next_sample:
                r.timeline.append((self.now, self.open, len(self.sent), self.idle))
                self.next_sample = self.now + max(1.0, self.now / 100)
            action(*arguments)
        r.makespan = self.now
        r.db_busy = self.row.busy
        r.peak = max(self.persec.values(), default=0)
        r.tail = r.makespan - self.last_full
        return r

    def at(self, time: float, action, arguments) -> None:
        heappush(self.events, (time, next(self.number), action, arguments))

    def tx(self, time: float) -> None:
        self.result.transactions += 1
        self.persec[int(time / 5)] = self.persec.get(int(time / 5), 0) + 1

    def state(self) -> State:
        share = self.done_share
        per = self.result.busy / share if share > 0 else 0.0
        return State(self.machines.processes, self.open, len(self.new) + len(self.sent), per)

    def begin(self, start: float, number: int, part: Part, seconds: float) -> None:
        walked = walk(self.tree, decode(part.levels), seconds)
        self.at(start + walked.seconds, self.end, (number, part, walked))

    def end(self, number: int, part: Part, walked: Walked) -> None:
        r = self.result
        r.turns += 1
        r.busy += walked.seconds
        r.short += walked.seconds < 0.1
        left = walked.frontier
        rest = ()
        if left:
            self.done_share += part.share - left.share
            rest = left.split(self.policy.pieces(self.state(), left.share))
        else:
            self.done_share += part.share
        self.open += len(rest) - 1
        r.parts += max(0, len(rest) - 1)
        r.most_open = max(r.most_open, self.open)
        cost = self.machines.costs
        done = self.row.use(self.now, cost.end + cost.piece * max(0, len(rest) - 1))
        self.tx(done)
        self.at(done, self.commit, (number, rest))

    def commit(self, number: int, rest: tuple[Part, ...]) -> None:
        for k, part in enumerate(rest):
            n = number if k == 0 else next(self.number)
            heappush(self.new, (self.policy.order(n, part), n, part))
        at = self.publish(self.policy.most_published)
        self.at(at, self.free, ())

    def publish(self, most: int) -> float:
        target = self.policy.waiting_per_process * self.machines.processes
        waiting = len(self.sent)
        if waiting > target // 2:
            return self.now
        if self.batch.free > self.now and not self.machines.costs.shared:
            self.tx(self.now)
            return self.now + 0.001
        claimed = [heappop(self.new)[1:] for _ in range(min(most, target - waiting, len(self.new)))]
        done = self.batch.use(self.now, self.machines.costs.publish)
        self.tx(done)
        self.at(done, self.arrive, (claimed,))
        return done

    def arrive(self, claimed) -> None:
        self.sent += claimed
        self.match()

    def free(self) -> None:
        self.idle += 1
        self.match()

    def match(self) -> None:
        m = self.machines
        while self.sent and self.idle:
            number, part = self.sent.popleft()
            self.idle -= 1
            if m.costs.shared:
                taken = self.row.use(self.now + m.message, m.costs.take)
            else:
                taken = self.now + m.message + m.costs.take
            self.tx(taken)
            self.begin(taken + m.enter, number, part, self.policy.turn(self.state()))
        if self.idle == 0 and self.result.full_at < 0:
            self.result.full_at = self.now
        if self.idle <= 0.1 * m.processes:
            self.last_full = self.now

    def sweep(self) -> None:
        self.publish(1000)
        self.at(self.now + self.machines.sweep, self.sweep, ())

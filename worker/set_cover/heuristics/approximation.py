"""Cheap covers from multipliers that are pushed until reduced costs tell which options to take.

Wedelin, *An algorithm for large scale 0-1 integer programming with application to airline crew
scheduling*, Annals of Operations Research 57 (1995). A sweep gives each item the multiplier half
way between the reduced costs of its two cheapest options, so that one of them is taken, which is to
have a negative reduced cost, and no other. Items that need different options might contradict each
other for ever. So each pushes the option that it takes further down, and all others up, by a share
of the distance between the two. That share rises from sweep to sweep, until the options that are
taken are a cover, or so far that the attempt has failed.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from worker import exact_cover, set_cover
from worker.compiling.clock import CLOCK_SIZE, now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Record, Table, Unsigned, record
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem
from worker.set_cover.heuristics.best import Best
from worker.set_cover.heuristics.walk import SEED, random_below
from worker.set_cover.layout import (
    EXCLUDED,
    UNLIMITED_TIMES,
    Floats,
    Multiplicity,
    Tables,
    tables_of,
)

#: what an option is pushed at least, in average reduced costs: of one attempt after the other
LEAST_PUSHES = np.array([0.01, 0.03, 0.003, 0.001])
#: by what the share of the distance rises from sweep to sweep in the first attempt, if all items
#: are wrong, else by less; of which fraction that is in each further attempt, and the least
FIRST_RISE, SLOWER, LEAST_RISE = 0.01, 0.8, 0.0005
#: sweeps before it rises; and the share, or the sweeps, after which an attempt has failed
FIRST_SWEEPS, LAST_SHARE, LAST_SWEEPS = 20, 0.6, 10_000
#: the registers of an approximation
State: Any = record(
    ("attempts", np.int64),  # that have begun
    ("sweeps", np.int64),  # of this attempt
    ("ended", np.int64),  # 1 if this attempt has ended
    ("share", np.float64),  # of the distance
    ("rise", np.float64),  # of the share
    ("push", np.float64),  # the least
    ("chance", np.uint64),  # the state of the random numbers
)


class Memory(NamedTuple):
    """What the attempts change."""

    reduced: Floats  #: per option: its cost without the multipliers and with all pushes
    multiplier: Floats  #: per item
    push: Floats  #: per option of an item, as in `Tables.options`: what it is pushed
    items: Table  #: those that need an option or have room for one only, in the order of a sweep
    times: Table  #: per item: how many options are taken that have it
    least_pushes: Floats  #: LEAST_PUSHES
    state: Record  #: a `State`
    clock: Integers  #: the memory of its clock


def new_memory(tables: Tables, seed: int) -> Memory:
    """Return the memory of attempts that begin at the multipliers of the tables."""
    needs = (tables.least > 0) | (tables.most < tables.size)
    items, state = tables.least.size, np.zeros(1, State)[0]
    state.chance, state.ended = SEED + seed, 1
    return Memory(
        np.zeros(tables.cost.size),
        np.zeros(items),
        np.zeros(tables.options.size),
        np.flatnonzero(needs).astype(np.uint32),
        np.zeros(items, np.uint32),
        LEAST_PUSHES,
        state,
        np.zeros(CLOCK_SIZE, np.int64),
    )


@compiled
def begin(tables: Tables, memory: Memory) -> None:
    """Begin an attempt."""
    state, reduced = memory.state, memory.reduced
    for item in range(tables.multiplier.size):
        memory.multiplier[item] = tables.multiplier[item]
    total = 0.0
    for option in range(Unsigned(reduced.size)):
        cost = tables.cost[option]
        for at in range(tables.first[option], tables.first[option + ONE]):
            cost -= tables.multiplier[tables.items[at]]
        reduced[option] = cost
        total += abs(cost)
    for at in range(memory.push.size):
        memory.push[at] = 0.0
    times = memory.least_pushes[state.attempts % memory.least_pushes.size]
    state.push = max(1.0, times * total / max(1, reduced.size))
    state.share, state.sweeps, state.ended = 0.0, 0, 0
    state.rise = max(LEAST_RISE, FIRST_RISE * SLOWER**state.attempts)
    state.attempts += 1


@compiled
def sweep(tables: Tables, memory: Memory) -> None:
    """Go over all items once, in a random order."""
    items, state = memory.items, memory.state
    times = state.share / (1.0 - state.share)
    for at in range(Unsigned(items.size)):
        other = at + random_below(state, Unsigned(items.size) - at)
        items[at], items[other] = items[other], items[at]
        price(tables, memory, Unsigned(items[at]), times)
    state.sweeps += 1


@inlined
def price(tables: Tables, memory: Memory, item: Int, times: float) -> None:
    """Give an item its multiplier and its pushes, `times` the distance and the least one."""
    reduced, push, options = memory.reduced, memory.push, tables.options
    first, end = tables.begin[item], tables.begin[item + ONE]
    old = memory.multiplier[item]
    taken, cheapest, second, negative = end, np.inf, np.inf, 0
    if tables.least[item] == ZERO:  # that no option is taken costs nothing
        cheapest = 0.0
    for at in range(first, end):
        cost = reduced[options[at]] - push[at] + old
        negative += cost < 0.0
        if cost < cheapest:
            taken, cheapest, second = at, cost, cheapest
        else:
            second = min(second, cost)
    if second == np.inf:
        second = cheapest
    new, below = (cheapest + second) / 2, times * (second - cheapest) + memory.state.push
    above = below
    if tables.most[item] == UNLIMITED_TIMES:
        new, above = max(0.0, new), 0.0
        if negative > 1:
            new, below = 0.0, 0.0
    memory.multiplier[item] = new
    for at in range(first, end):
        pushed = -below if at == taken else above
        reduced[options[at]] += pushed - push[at] + old - new
        push[at] = pushed


@compiled
def count_wrong(tables: Tables, memory: Memory) -> Int:
    """Return how many items are not covered as often as they must be, or more often than may be."""
    times, wrong = memory.times, 0
    for item in range(Unsigned(times.size)):
        times[item] = ZERO
    for option in range(Unsigned(memory.reduced.size)):
        if memory.reduced[option] < 0.0:
            for at in range(tables.first[option], tables.first[option + ONE]):
                times[tables.items[at]] += ONE
    for item in range(ONE, Unsigned(times.size)):
        wrong += times[item] < tables.least[item] or times[item] > tables.most[item]
    return wrong


@entry(exact_cover.__file__, set_cover.__file__)
def approximate_slice(tables: Tables, memory: Memory, attempts: Int, slice_ns: Int) -> Int:
    """Go on for `slice_ns` nanoseconds and a sweep, or until `attempts` attempts have ended.

    Return FULL if one ended with a cover, which must be read first: the options whose reduced costs
    are negative. Else return EXHAUSTED or PAUSED.
    """
    state, pause = memory.state, now(memory.clock) + slice_ns
    while True:
        if state.ended != 0:
            if state.attempts >= attempts:
                return stops.EXHAUSTED
            begin(tables, memory)
        sweep(tables, memory)
        wrong = count_wrong(tables, memory)
        if wrong == 0:
            state.ended = 1
            return stops.FULL
        if state.sweeps > FIRST_SWEEPS:
            state.share += state.rise * math.sqrt(wrong / memory.items.size)
        state.ended = state.share > LAST_SHARE or state.sweeps >= LAST_SWEEPS
        if now(memory.clock) >= pause:
            return stops.PAUSED


class Approximation:
    """Attempts to find cheap covers, in turns."""

    def __init__(
        self,
        best: Best,
        problem: Problem,
        tables: Tables,
        multiplicities: Sequence[Multiplicity] | None,
        seed: int = 0,
    ) -> None:
        """Begin at the multipliers of the tables, with the options that they do not exclude.

        `fits` must hold for the tables.
        """
        self._best, self._cost = best, tables.cost
        self._options = np.flatnonzero((tables.fate != EXCLUDED) & problem.is_useful)
        self._tables = tables_of(problem.only(self._options), multiplicities)
        self._tables.cost[:] = tables.cost[self._options]  # in the same units
        self._tables.multiplier[:] = tables.multiplier
        self._memory = new_memory(self._tables, seed)

    def advance(self, attempts: int, goal: int, most: int, turn_ns: int) -> bool:
        """Go on for `turn_ns` nanoseconds, or until `attempts` attempts have ended.

        Keep covers that cost `most` or less, unless none is wanted that costs `goal` or more.
        Return whether it can go on.
        """
        if most < goal:
            return False
        status: int = approximate_slice(self._tables, self._memory, attempts, turn_ns)
        if status == stops.FULL:
            path = self._options[np.flatnonzero(self._memory.reduced < 0)]
            cost = int(self._cost[path].sum())
            if cost <= most:
                self._best.add(tuple(path.tolist()), cost)
        return status != stops.EXHAUSTED


def fits(tables: Tables) -> bool:
    """Return whether items need one option at most, have room for one or all, and no colours."""
    return tables.several.size == 0 and tables.colour.size == 0

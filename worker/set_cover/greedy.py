"""Local search where options are many: some leave the cover, and the cheapest return.

Iterated greedy search (Jacobs and Brusco, *A local-search heuristic for large set-covering
problems*, 1995) with reduced costs, and only with a core of options, those of least reduced costs
(Caprara, Fischetti and Toth, *A heuristic method for the set covering problem*, 1999).
"""

import numpy as np

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.jit import compiled, copy, entry
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.problem import Problem
from worker.exact_cover.state import UNBOUNDED
from worker.set_cover.layout import CHOSEN, FREE, Tables
from worker.set_cover.neighbourhood import keep, random_below
from worker.set_cover.walk import Walk, add, remove, start

#: options of the core: for each item, and besides these for each item on average
EACH, AVERAGE = 6, 10
#: no more than this share of the options leaves the cover in a step, and two or more
LEAVING_SHARE = 4


def core_of(problem: Problem, tables: Tables) -> Integers:
    """Return the options of least reduced costs, ascending, and those that are chosen."""
    reduced = np.where(tables.fate == FREE, tables.reduced, UNBOUNDED)
    option = problem.option_of_member
    order = np.lexsort((reduced[option], problem.members))
    begin = np.searchsorted(problem.members[order], np.arange(problem.items + 1))
    rank = np.arange(order.size) - begin[problem.members[order]]
    each = option[order[rank < EACH]]
    cheapest = np.argsort(reduced, kind="stable")[: AVERAGE * problem.primary]
    return np.unique(np.concatenate([each, cheapest, np.flatnonzero(tables.fate == CHOSEN)]))


@compiled
def cheapest_option(tables: Tables, walk: Walk) -> Int:
    """Return the option of least reduced cost for each item that it would cover."""
    best, least = ZERO, np.inf
    for place in range(walk.state.bare):
        bare = walk.bare[place]
        for k in range(tables.begin[bare], tables.begin[bare + ONE]):
            option = tables.options[k]
            covered, cost = 0, tables.cost[option]
            for at in range(tables.first[option], tables.middle[option]):
                item = tables.items[at]
                if walk.times[item] == ZERO:
                    covered += 1
                    cost -= tables.multiplier[item]
            score = float(cost) / covered if cost > 0 else float(cost) * covered
            if score < least:
                best, least = option, score
    return best


@compiled
def complete(tables: Tables, walk: Walk) -> None:
    """Add options until no item is open, then remove those that cover nothing alone."""
    while walk.state.bare != 0:
        add(tables, walk, cheapest_option(tables, walk))
    at = 0
    while at < walk.state.used:
        if walk.gain[walk.used[at]] == 0:
            remove(tables, walk, walk.used[at])
        else:
            at += 1


@compiled
def shake(tables: Tables, walk: Walk) -> None:
    """Remember the set, and remove some of its options at random."""
    state = walk.state
    copy(walk.used, ZERO, walk.before, ZERO, Unsigned(state.used))
    most = max(ONE, Unsigned(state.used) // Unsigned(LEAVING_SHARE))
    leaving = min(Unsigned(state.used), ONE + ONE + random_below(walk, most))
    for _ in range(leaving):
        remove(tables, walk, walk.used[random_below(walk, state.used)])


@compiled
def go_back(tables: Tables, walk: Walk, count: Int) -> None:
    """Return to the set of `count` options before `shake`."""
    while walk.state.used != 0:
        remove(tables, walk, walk.used[0])
    for k in range(count):
        add(tables, walk, walk.before[k])


@entry(exact_cover.__file__, __file__)
def greedy_slice(tables: Tables, walk: Walk, steps: Int, goal: Int, slice_ns: Int) -> Int:
    """Continue the search for `slice_ns` nanoseconds; return why it stopped, as `walk_slice`.

    No item is secondary, and only the cheapest cover is wanted.
    """
    state, pause = walk.state, now(walk.clock) + slice_ns
    if state.steps == 0:
        start(tables, walk)
    while state.steps < steps and state.limit > goal:
        if now(walk.clock) >= pause:
            return stops.PAUSED
        used, cost = state.used, state.cost
        if state.steps != 0:
            shake(tables, walk)
        complete(tables, walk)
        if state.cost < state.limit:
            keep(walk)
        elif state.cost > cost and state.steps != 0:
            go_back(tables, walk, used)
        state.steps += 1
    return stops.EXHAUSTED

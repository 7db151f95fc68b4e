"""Local search for cheap covers: options are exchanged, and items that stay open gain weight.

Row-weighting local search (Gao, Weise and Li, *An efficient local search heuristic with row
weighting for the unicost set covering problem*, European Journal of Operational Research 2015).
Secondary items are not considered.
"""

from typing import NamedTuple

import numpy as np

from worker.compiling.clock import now
from worker.compiling.jit import ONE, ZERO, Int, Integers, Table, Unsigned, compiled
from worker.exact_cover.state import EXHAUSTED, PAUSED, UNBOUNDED
from worker.set_cover.layout import Tables
from worker.set_cover.state import Search


class Walk(NamedTuple):
    """A set of options that changes from step to step, and the cheapest cover met so far."""

    used: Table  #: the options in the set, in no order, from 0
    place: Table  #: per option: its index in `used` plus 1; 0 if it is not in the set
    times: Table  #: per item: how many options of the set have it
    bare: Table  #: the items that no option of the set has, in no order, from 0
    bare_place: Table  #: per item: its index in `bare` plus 1; 0 if it is covered
    weight: Integers  #: per item: 1, and 1 for each step after which it was open
    gain: Integers  #: per option: the weights that adding it covers, or removing it uncovers
    moved: Integers  #: per option: the step at which it was added or removed
    may_enter: Table  #: per option: 0 if nothing of it changed since it was removed
    best: Table  #: the options of the cheapest cover
    numbers: Integers  #: registers: see the constants below


#: indices in `Walk.numbers`
USED, BARE, COST, BEST_COST, BEST_COUNT, STEPS, ADDED = range(7)


def new_walk(tables: Tables) -> Walk:
    """Return an empty set, without a cover."""
    options, items = tables.cost.size, tables.begin.size - 1
    numbers = np.zeros(7, np.int64)
    numbers[BEST_COST] = UNBOUNDED
    return Walk(
        np.zeros(options + 1, np.uint32),
        np.zeros(options, np.uint32),
        np.zeros(items, np.uint32),
        np.zeros(items + 1, np.uint32),
        np.zeros(items, np.uint32),
        np.zeros(items, np.int64),
        np.zeros(options, np.int64),
        np.zeros(options, np.int64),
        np.ones(options, np.uint32),
        np.zeros(options + 1, np.uint32),
        numbers,
    )


@compiled
def start(tables: Tables, walk: Walk) -> None:
    """Open every primary item, with weight 1."""
    for item in range(ONE, Unsigned(tables.right.size)):
        walk.weight[item] = 1
        walk.bare[item - ONE] = item
        walk.bare_place[item] = item
    walk.numbers[BARE] = tables.right.size - 1
    for option in range(Unsigned(tables.cost.size)):
        walk.gain[option] = np.int64(tables.middle[option] - tables.first[option])


@compiled
def add(tables: Tables, walk: Walk, option: Int) -> None:
    """Add an option to the set."""
    numbers, gain, place = walk.numbers, walk.gain, walk.place
    walk.used[numbers[USED]] = option
    numbers[USED] += 1
    numbers[COST] += tables.cost[option]
    place[option] = numbers[USED]
    gain[option] = 0
    for at in range(tables.first[option], tables.middle[option]):
        item = tables.items[at]
        count, weight = walk.times[item], walk.weight[item]
        walk.times[item] = count + ONE
        if count == ZERO:
            gain[option] += weight
            cover(walk, item)
        if count <= ONE:
            for k in range(tables.begin[item], tables.begin[item + ONE]):
                other = tables.options[k]
                walk.may_enter[other] = ONE
                if other != option and (count == ZERO) == (place[other] == ZERO):
                    gain[other] -= weight


@compiled
def remove(tables: Tables, walk: Walk, option: Int) -> None:
    """Remove an option from the set."""
    numbers, gain, place = walk.numbers, walk.gain, walk.place
    at, last = place[option] - ONE, walk.used[numbers[USED] - 1]
    numbers[USED] -= 1
    numbers[COST] -= tables.cost[option]
    walk.used[at], place[last] = last, at + ONE
    place[option] = ZERO
    gain[option] = 0
    walk.may_enter[option] = ZERO
    for at in range(tables.first[option], tables.middle[option]):
        item = tables.items[at]
        count, weight = walk.times[item] - ONE, walk.weight[item]
        walk.times[item] = count
        if count == ZERO:
            gain[option] += weight
            uncover(walk, item)
        if count <= ONE:
            for k in range(tables.begin[item], tables.begin[item + ONE]):
                other = tables.options[k]
                if other != option:
                    walk.may_enter[other] = ONE
                    if (count == ZERO) == (place[other] == ZERO):
                        gain[other] += weight


@compiled
def cover(walk: Walk, item: Int) -> None:
    """Remove an item from the open ones."""
    numbers = walk.numbers
    numbers[BARE] -= 1
    at, last = walk.bare_place[item] - ONE, walk.bare[numbers[BARE]]
    walk.bare[at], walk.bare_place[last] = last, at + ONE
    walk.bare_place[item] = ZERO


@compiled
def uncover(walk: Walk, item: Int) -> None:
    """Add an item to the open ones."""
    numbers = walk.numbers
    walk.bare[numbers[BARE]] = item
    numbers[BARE] += 1
    walk.bare_place[item] = numbers[BARE]


@compiled
def least_loss(tables: Tables, walk: Walk) -> Int:
    """Return the option of the set that is dearest for what it covers alone; not the latest."""
    numbers = walk.numbers
    best, found = walk.used[0], False
    for at in range(numbers[USED]):
        option = walk.used[at]
        may_leave = option + ONE != numbers[ADDED] or numbers[USED] == 1
        if may_leave and (not found or is_better(tables, walk, best, option)):
            best, found = option, True
    return best


@compiled
def most_gain(tables: Tables, walk: Walk, item: Int) -> Int:
    """Return the option of an item that is cheapest for what it would cover, plus 1; 0 if none."""
    found = ZERO
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        option = tables.options[at]
        if walk.may_enter[option] != ZERO and (
            found == ZERO or is_better(tables, walk, option, found - ONE)
        ):
            found = option + ONE
    return found


@compiled
def is_better(tables: Tables, walk: Walk, one: Int, other: Int) -> bool:
    """Return whether an option has more gain for its cost than another; of equals, the older."""
    a = walk.gain[one] * (tables.cost[other] + 1.0)
    b = walk.gain[other] * (tables.cost[one] + 1.0)
    return bool(a > b or (a == b and walk.moved[one] < walk.moved[other]))


@compiled
def keep(walk: Walk) -> None:
    """Keep the set, which is a cover."""
    numbers = walk.numbers
    numbers[BEST_COST], numbers[BEST_COUNT] = numbers[COST], numbers[USED]
    for at in range(numbers[USED]):
        walk.best[at] = walk.used[at]


@compiled
def random_below(search: Search, count: Int) -> Int:
    """Return a random number below `count` (xorshift, Marsaglia 2003)."""
    x = search.state.chance
    x ^= x << Unsigned(13)
    x ^= x >> Unsigned(7)
    x ^= x << Unsigned(17)
    search.state.chance = x
    return (x >> Unsigned(11)) % Unsigned(count)


@compiled
def walk_on(tables: Tables, search: Search, walk: Walk, steps: Int, goal: Int, pause: Int) -> Int:
    """Go on until `steps` steps, or a cover of cost `goal`; return EXHAUSTED, or PAUSED."""
    numbers = walk.numbers
    if numbers[STEPS] == 0:
        start(tables, walk)
    while numbers[STEPS] < steps and numbers[BEST_COST] > goal:
        numbers[STEPS] += 1
        if now(search.clock) >= pause:
            return PAUSED
        while numbers[BARE] == 0:
            if numbers[COST] < numbers[BEST_COST]:
                keep(walk)
            if numbers[USED] == 0 or numbers[BEST_COST] <= goal:
                return EXHAUSTED
            leave(tables, walk, least_loss(tables, walk))
        if numbers[BEST_COST] < UNBOUNDED and numbers[USED] != 0:
            leave(tables, walk, least_loss(tables, walk))
        item = walk.bare[random_below(search, numbers[BARE])]
        found = most_gain(tables, walk, item)
        if found != ZERO and numbers[COST] + tables.cost[found - ONE] < numbers[BEST_COST]:
            option = found - ONE
            add(tables, walk, option)
            walk.moved[option], numbers[ADDED] = numbers[STEPS], np.int64(found)
        for at in range(numbers[BARE]):
            item = walk.bare[at]
            walk.weight[item] += 1
            for k in range(tables.begin[item], tables.begin[item + ONE]):
                walk.gain[tables.options[k]] += 1
    return EXHAUSTED


@compiled
def leave(tables: Tables, walk: Walk, option: Int) -> None:
    """Remove an option, and note the step."""
    remove(tables, walk, option)
    walk.moved[option] = walk.numbers[STEPS]

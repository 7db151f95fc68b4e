"""The set of options that the local search changes, and the covers that it has met."""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.clock import CLOCK_SIZE
from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Integers, Record, Table, Unsigned, record
from worker.exact_cover.state import UNBOUNDED
from worker.set_cover.layout import Tables

#: covers that are met before they are read, at most
MAX_UNREAD = 64
#: covers that are recognised if they are met again, a power of two
MAX_SEEN = 1 << 12
#: the first state of the random numbers, without a seed: the same searches in every run
SEED = 88172645463325252
#: the registers of a walk
State: Any = record(
    ("used", np.int64),  # options in the set
    ("label", np.int64),  # the label of the set
    ("bare", np.int64),  # items that it leaves open
    ("cost", np.int64),  # what its options cost
    ("limit", np.int64),  # a cover must cost less; every cover lowers it
    ("floor", np.int64),  # but not below this
    ("covers", np.int64),  # covers that were not read yet
    ("has_met", np.int64),  # 1 once the set was a cover
    ("steps", np.int64),
    ("added", np.int64),  # the option that was added last, plus 1
    ("least", np.int64),  # the least cost of an option
    ("chance", np.uint64),  # the state of the random numbers
)


class Walk(NamedTuple):
    """A set of options that changes from step to step, and the covers met since they were read."""

    used: Table  #: the options in the set, in no order, from 0
    place: Table  #: per option: its index in `used` plus 1; 0 if it is not in the set
    times: Table  #: per item: how many options of the set have it
    owner: Table  #: per secondary item: an option of the set that has it, plus 1; else 0
    colour: Table  #: per secondary item: the colour that the options of the set give it
    bare: Table  #: the items that no option of the set has, in no order, from 0
    bare_place: Table  #: per item: its index in `bare` plus 1; 0 if it is covered
    weight: Integers  #: per item: 1, and 1 for each step after which it was open
    gain: Integers  #: per option: the weights that adding it covers, or removing it uncovers
    moved: Integers  #: per option: the step at which it was added or removed
    may_enter: Table  #: per option: 0 if nothing of it changed since it was removed
    label: Integers  #: per option: a random number; those of a set combined tell it from others
    seen: Integers  #: at some bits of the label of a set: the latest such cover
    covers: Table  #: per cover: its options
    length: Table  #: per cover: the number of its options
    state: Record  #: a `State`
    clock: Integers  #: the memory of its clock


def new_walk(tables: Tables, wanted: int, seed: int = 0) -> Walk:
    """Return an empty set, to look for the cheapest cover, or for `wanted` covers."""
    options, items = tables.cost.size, tables.begin.size - 1
    room = min(wanted, MAX_UNREAD)
    state = np.zeros(1, State)[0]
    state.limit, state.least = UNBOUNDED, tables.cost.min(initial=UNBOUNDED)
    state.chance = SEED + seed
    return Walk(
        used=np.zeros(options + 1, np.uint32),
        place=np.zeros(options, np.uint32),
        times=np.zeros(items, np.uint32),
        owner=np.zeros(items, np.uint32),
        colour=np.zeros(items, np.uint32),
        bare=np.zeros(items + 1, np.uint32),
        bare_place=np.zeros(items, np.uint32),
        weight=np.zeros(items, np.int64),
        gain=np.zeros(options, np.int64),
        moved=np.zeros(options, np.int64),
        may_enter=np.ones(options, np.uint32),
        label=_labels(options) if room > 1 else np.zeros(options, np.int64),
        seen=np.zeros(1 if wanted == 1 else MAX_SEEN, np.int64),
        covers=np.zeros((room, min(items, options)), np.uint32),
        length=np.zeros(room, np.uint32),
        state=state,
        clock=np.zeros(CLOCK_SIZE, np.int64),
    )


def _labels(count: int) -> Integers:
    return np.random.default_rng(count).integers(1 << 62, size=count)


@compiled
def random_below(state: Record, count: Int) -> Int:
    """Return a random number below `count` (xorshift, Marsaglia 2003)."""
    x = state.chance
    x ^= x << Unsigned(13)
    x ^= x >> Unsigned(7)
    x ^= x << Unsigned(17)
    state.chance = x
    return (x >> Unsigned(11)) % Unsigned(count)


@compiled
def start(tables: Tables, walk: Walk) -> None:
    """Open every primary item, with weight 1."""
    for item in range(ONE, Unsigned(tables.least.size)):
        if tables.least[item] != ZERO:
            walk.weight[item] = 1
            uncover(walk, item)
    for option in range(Unsigned(tables.cost.size)):
        walk.gain[option] = np.int64(tables.middle[option] - tables.first[option])


@inlined
def disagrees(tables: Tables, walk: Walk, at: Int) -> bool:
    """Return whether the set has a secondary item, and not with the colour that is at `at`."""
    item = tables.items[at]
    if walk.owner[item] == ZERO:
        return False
    if tables.colour.size == 0 or tables.colour[at] == ZERO:
        return True
    return bool(walk.colour[item] != tables.colour[at])


@inlined
def another_owner(tables: Tables, walk: Walk, item: Int) -> Int:
    """Return an option of the set that has a coloured item, plus 1; 0 if there is none."""
    if tables.colour.size != 0 and walk.colour[item] != ZERO:
        for at in range(tables.begin[item], tables.begin[item + ONE]):
            if walk.place[tables.options[at]] != ZERO:
                return tables.options[at] + ONE
    return ZERO


@compiled
def leave(tables: Tables, walk: Walk, option: Int) -> None:
    """Remove an option, and note the step."""
    remove(tables, walk, option)
    walk.moved[option] = walk.state.steps


@compiled
def add(tables: Tables, walk: Walk, option: Int) -> None:
    """Add an option to the set; those that disagree with it on a secondary item leave."""
    state, gain, place = walk.state, walk.gain, walk.place
    for at in range(tables.middle[option], tables.first[option + ONE]):
        while disagrees(tables, walk, at):
            leave(tables, walk, walk.owner[tables.items[at]] - ONE)
        walk.owner[tables.items[at]] = option + ONE
        if tables.colour.size != 0:
            walk.colour[tables.items[at]] = tables.colour[at]
    walk.used[state.used] = option
    state.used += 1
    state.label ^= walk.label[option]
    state.cost += tables.cost[option]
    place[option] = state.used
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
    state, gain, place = walk.state, walk.gain, walk.place
    at, last = place[option] - ONE, walk.used[state.used - 1]
    state.used -= 1
    state.label ^= walk.label[option]
    state.cost -= tables.cost[option]
    walk.used[at], place[last] = last, at + ONE
    place[option] = ZERO
    gain[option] = 0
    walk.may_enter[option] = ZERO
    for at in range(tables.middle[option], tables.first[option + ONE]):
        item = tables.items[at]
        if walk.owner[item] == option + ONE:
            walk.owner[item] = another_owner(tables, walk, item)
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
    state = walk.state
    state.bare -= 1
    at, last = walk.bare_place[item] - ONE, walk.bare[state.bare]
    walk.bare[at], walk.bare_place[last] = last, at + ONE
    walk.bare_place[item] = ZERO


@compiled
def uncover(walk: Walk, item: Int) -> None:
    """Add an item to the open ones."""
    state = walk.state
    walk.bare[state.bare] = item
    state.bare += 1
    walk.bare_place[item] = state.bare

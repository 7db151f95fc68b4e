"""Local search for cheap covers: options are exchanged, and items that stay open gain weight.

Row-weighting local search (Gao, Weise and Li, *An efficient local search heuristic with row
weighting for the unicost set covering problem*, European Journal of Operational Research 2015).
"""

from worker import exact_cover, set_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.search import GOING_ON
from worker.set_cover.heuristics.walk import Walk, add, disagrees, leave, random_below, start
from worker.set_cover.layout import Tables


@compiled
def least_loss(tables: Tables, walk: Walk) -> Int:
    """Return the option of the set that is dearest for what it covers alone; not the latest."""
    state, gain = walk.state, walk.gain
    best, found = walk.used[0], False
    for at in range(state.used):
        option = walk.used[at]
        may_leave = option + ONE != state.added or state.used == 1
        if may_leave and (
            not found or is_better(tables, walk, best, gain[best], option, gain[option])
        ):
            best, found = option, True
    return best


@compiled
def most_gain(tables: Tables, walk: Walk, item: Int) -> Int:
    """Return the option of an item that is cheapest for what it would cover, plus 1; 0 if none."""
    found, most = ZERO, 0
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        option = tables.options[at]
        if walk.may_enter[option] != ZERO:
            gain = net_gain(tables, walk, option)
            if found == ZERO or is_better(tables, walk, option, gain, found - ONE, most):
                found, most = option + ONE, gain
    return found


@compiled
def net_gain(tables: Tables, walk: Walk, option: Int) -> Int:
    """Return the weights that adding an option covers, less those that it uncovers.

    It removes the options that disagree on a secondary item; one that does on two counts twice.
    """
    gain = walk.gain[option]
    for at in range(tables.middle[option], tables.first[option + ONE]):
        if disagrees(tables, walk, at):
            gain -= walk.gain[walk.owner[tables.items[at]] - ONE]
    return gain


@compiled
def is_better(tables: Tables, walk: Walk, one: Int, gain: Int, other: Int, other_gain: Int) -> bool:
    """Return whether an option has more gain for its cost than another; of equals, the older."""
    a = gain * (tables.cost[other] + 1.0)
    b = other_gain * (tables.cost[one] + 1.0)
    return bool(a > b or (a == b and walk.moved[one] < walk.moved[other]))


@compiled
def keep(walk: Walk) -> None:
    """Keep the set, which is a cover, and lower the limit.

    If only the cheapest is wanted, it replaces the one before; else it is one of several unless it
    was met before.
    """
    state = walk.state
    state.limit = max(min(state.limit, state.cost), state.floor)
    label, at = state.label, ZERO
    if walk.length.size != 1:
        slot = label % walk.seen.size
        if walk.seen[slot] == label:
            return
        walk.seen[slot] = label
        at = Unsigned(state.covers)
    for k in range(state.used):
        walk.covers[at, k] = walk.used[k]
    walk.length[at] = state.used
    state.covers = at + ONE


@compiled
def walk_on(tables: Tables, walk: Walk, steps: Int, goal: Int, pause: Int) -> Int:
    """Go on until `steps` steps, or until no cover cheaper than `goal` is wanted.

    Return EXHAUSTED then, PAUSED at the time `pause`, and FULL if the covers must be read first.
    Before the first cover, items gain no weight in a step that leaves fewer of them open.
    """
    state = walk.state
    if state.steps == 0:
        start(tables, walk)
    while state.steps < steps and state.limit > goal:
        state.steps += 1
        if now(walk.clock) >= pause:
            return stops.PAUSED
        status = leave_cover(tables, walk, goal)
        if status != GOING_ON:
            return status
        bare = state.bare
        exchange(tables, walk)
        if state.has_met != 0 or state.bare >= bare:
            weigh_open(tables, walk)
    return stops.EXHAUSTED


@compiled
def leave_cover(tables: Tables, walk: Walk, goal: Int) -> Int:
    """Remove options until an item is open; keep the cover that no option can be left out of.

    Return GOING_ON, or if no item can be opened or no cheaper cover is wanted EXHAUSTED, or FULL.
    """
    state = walk.state
    state.has_met |= state.bare == 0
    while state.bare == 0:
        if state.used == 0:
            keep(walk)
            return stops.EXHAUSTED
        option = least_loss(tables, walk)
        if walk.gain[option] != 0 and state.cost < state.limit:
            if state.covers == walk.length.size and walk.length.size != 1:
                return stops.FULL
            keep(walk)
            if state.limit <= goal:
                return stops.EXHAUSTED
        leave(tables, walk, option)
    return GOING_ON


@compiled
def exchange(tables: Tables, walk: Walk) -> None:
    """Add an option of an open item, at random, in place of those for which there is no room."""
    state = walk.state
    while state.used != 0 and state.cost + state.least >= state.limit:
        leave(tables, walk, least_loss(tables, walk))
    item = walk.bare[random_below(state, state.bare)]
    found = most_gain(tables, walk, item)
    if found == ZERO:  # its only options have just left
        for at in range(tables.begin[item], tables.begin[item + ONE]):
            walk.may_enter[tables.options[at]] = ONE
    if found != ZERO and tables.cost[found - ONE] < state.limit:
        option = found - ONE
        while state.cost + tables.cost[option] >= state.limit:
            leave(tables, walk, least_loss(tables, walk))
        add(tables, walk, option)
        walk.moved[option], state.added = state.steps, option + ONE


@compiled
def weigh_open(tables: Tables, walk: Walk) -> None:
    """Add 1 to the weight of each item that is open."""
    for at in range(walk.state.bare):
        item = walk.bare[at]
        walk.weight[item] += 1
        for k in range(tables.begin[item], tables.begin[item + ONE]):
            walk.gain[tables.options[k]] += 1


@entry(exact_cover.__file__, set_cover.__file__)
def walk_slice(tables: Tables, walk: Walk, steps: Int, goal: Int, slice_ns: Int) -> Int:
    """Continue the local search for `slice_ns` nanoseconds; return why it stopped.

    It takes at most `steps` steps, and goes on while covers that cost more than `goal` are wanted.
    """
    return walk_on(tables, walk, steps, goal, now(walk.clock) + slice_ns)

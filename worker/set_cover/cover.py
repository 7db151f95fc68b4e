"""Choosing and excluding options, and undoing it."""

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int
from worker.exact_cover.state import Search
from worker.set_cover.layout import CHOSEN, EXCLUDED, FREE, Tables


@inlined
def decide(tables: Tables, search: Search, option: Int, fate: Int) -> None:
    """Move a free option behind the free ones in `order`, and spend what the decision costs.

    From the start, `state.spent` includes the costs of all options whose cost is negative, and to
    exclude such an option adds its profit. So no decision lowers it.
    """
    state, order, place, cost = search.state, tables.order, tables.place, tables.cost[option]
    if cost < 0:
        state.profitable -= ONE
    if (cost > 0) == (fate == CHOSEN):
        state.spent += abs(cost)
    state.free -= ONE
    at, other = place[option], order[state.free]
    order[at], place[other] = other, at
    order[state.free], place[option] = option, state.free
    tables.fate[option] = fate


@compiled
def choose(tables: Tables, search: Search, option: Int) -> None:
    """Choose a free option: items whose least number is reached leave the ring.

    The others of an item that may not be covered again, or that has another colour, are excluded.
    """
    state, left, right, times = search.state, tables.left, tables.right, tables.times
    decide(tables, search, option, CHOSEN)
    state.visited = 0
    for at in range(tables.first[option], tables.first[option + ONE]):
        item = tables.items[at]
        times[item] += ONE
        if times[item] == tables.least[item]:
            left[right[item]], right[left[item]] = left[item], right[item]
            state.open -= ONE
    for at in range(tables.first[option], tables.first[option + ONE]):
        item = tables.items[at]
        colour = tables.colour[at] if tables.colour.size else ZERO
        if times[item] == tables.most[item] or at >= tables.middle[option]:
            for k in range(tables.begin[item], tables.begin[item + ONE]):
                agrees = colour != ZERO and tables.same_colour[k] == colour
                if tables.fate[tables.options[k]] == FREE and not agrees:
                    exclude(tables, search, tables.options[k])


@compiled
def exclude(tables: Tables, search: Search, option: Int) -> None:
    """Exclude a free option; push the items that need all options that are left."""
    state, size = search.state, tables.size
    decide(tables, search, option, EXCLUDED)
    for at in range(tables.first[option], tables.first[option + ONE]):
        item = tables.items[at]
        size[item] -= ONE
        if size[item] <= tables.least[item] and tables.times[item] < tables.least[item]:
            if size[item] < tables.least[item]:
                state.dead = 1
            else:
                tables.forced[state.forced] = item
                state.forced += ONE


@compiled
def undo(tables: Tables, search: Search, free: Int) -> None:
    """Undo decisions, the latest first, until `free` options are free."""
    state, left, right, times = search.state, tables.left, tables.right, tables.times
    while state.free < free:
        option = tables.order[state.free]
        first, end, cost = tables.first[option], tables.first[option + ONE], tables.cost[option]
        if cost < 0:
            state.profitable += ONE
        if (cost > 0) == (tables.fate[option] == CHOSEN):
            state.spent -= abs(cost)
        if tables.fate[option] == EXCLUDED:
            for at in range(first, end):
                tables.size[tables.items[at]] += ONE
        else:
            at = end
            while at != first:
                at -= ONE
                item = tables.items[at]
                if times[item] == tables.least[item]:
                    left[right[item]] = right[left[item]] = item
                    state.open += ONE
                times[item] -= ONE
        tables.fate[option] = FREE
        state.free += ONE
    state.forced, state.dead = ZERO, 0


@compiled
def settle(tables: Tables, search: Search) -> None:
    """Choose all free options of the open items that need all that they have left."""
    state = search.state
    while state.forced != ZERO and state.dead == 0:
        state.forced -= ONE
        item = tables.forced[state.forced]
        if tables.times[item] < tables.least[item]:
            for at in range(tables.begin[item], tables.begin[item + ONE]):
                if tables.fate[tables.options[at]] == FREE and state.dead == 0:
                    choose(tables, search, tables.options[at])


@compiled
def is_once(tables: Tables, item: Int) -> bool:
    """Return whether an item must be covered, and may be covered once only."""
    return bool(tables.least[item] == ONE and tables.most[item] == ONE)


@compiled
def has(tables: Tables, option: Int, item: Int) -> bool:
    """Return whether an option has an item."""
    for at in range(tables.first[option], tables.first[option + ONE]):
        if tables.items[at] == item:
            return True
    return False

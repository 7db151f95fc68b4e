"""Options and items that need no attention, because others are at least as good or as strict."""

from worker.compiling.clock import now
from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.cover import exclude, settle
from worker.set_cover.layout import FREE, Tables

#: options of an item that are compared in pairs
MAX_RIVALS = 1_000
#: nanoseconds for what is excluded at the root
REDUCING_NS = 10_000_000
#: it is repeated if it removes more than this part of all options and items
MUCH = Unsigned(10)


@compiled
def exclude_dominated(tables: Tables, search: Search, item: Int) -> None:
    """Exclude those options of an item whose open items another one, no dearer, has as well.

    In any cover, the other one can take its place. The other must not have a secondary item. Items
    with more than MAX_RIVALS options are passed over.
    """
    if tables.begin[item + ONE] - tables.begin[item] > MAX_RIVALS:
        return
    options, items, mark = tables.options, tables.items, tables.mark
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        one = options[at]
        if tables.fate[one] == FREE and tables.middle[one] == tables.first[one + ONE]:
            for k in range(tables.first[one], tables.middle[one]):
                mark[items[k]] = ONE
            for other_at in range(tables.begin[item], tables.begin[item + ONE]):
                other = options[other_at]
                if other != one and is_within_marks(tables, other, tables.cost[one]):
                    exclude(tables, search, other)
            for k in range(tables.first[one], tables.middle[one]):
                mark[items[k]] = ZERO


@compiled
def is_within_marks(tables: Tables, option: Int, cost: Int) -> bool:
    """Return whether a free option costs `cost` or more, and all its open items are marked."""
    if tables.fate[option] != FREE or tables.cost[option] < cost:
        return False
    for k in range(tables.first[option], tables.middle[option]):
        item = tables.items[k]
        if tables.mark[item] == ZERO and tables.times[item] < tables.least[item]:
            return False
    return True


@compiled
def leave_implied(tables: Tables, search: Search, item: Int) -> None:
    """Remove from the ring the other open items that every option of `item` has.

    Whatever covers `item` covers them. They count as covered once until the search ends.
    """
    options, items, mark, times = tables.options, tables.items, tables.mark, tables.times
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        if tables.fate[options[at]] == FREE:
            for k in range(tables.first[options[at]], tables.middle[options[at]]):
                mark[items[k]] += ONE
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        if tables.fate[options[at]] == FREE:
            for k in range(tables.first[options[at]], tables.middle[options[at]]):
                other = items[k]
                implied = mark[other] == tables.size[item] and times[other] == ZERO
                if implied and other != item:
                    times[other] = ONE
                    tables.left[tables.right[other]] = tables.left[other]
                    tables.right[tables.left[other]] = tables.right[other]
                    search.state.open -= ONE
                mark[other] = ZERO


@compiled
def reduce(tables: Tables, search: Search) -> None:
    """Do what needs no budget, and is not undone before the search ends; once, unless it is dead.

    What is forced is decided. Of set covers, dominated options are excluded if one cover is enough,
    and implied items leave the ring; this is repeated while it makes the problem much smaller.
    """
    state, deadline = search.state, now(search.clock) + REDUCING_NS
    again = True
    while again and state.dead == 0:
        before = state.free + state.open
        reduce_once(tables, search, deadline)
        again = (before - state.free - state.open) * MUCH > before


@compiled
def reduce_once(tables: Tables, search: Search, deadline: Int) -> None:
    """Look once at each open item, until the deadline."""
    state = search.state
    item = tables.right[0]
    while state.single & state.minimal != 0 and item != 0 and now(search.clock) < deadline:
        exclude_dominated(tables, search, item)
        item = tables.right[item]
    settle(tables, search)
    if state.dead != 0:
        return
    state.reduced = 1
    item = tables.right[0]
    while state.minimal != 0 and item != 0 and now(search.clock) < deadline:
        if tables.size[item] != ZERO:
            leave_implied(tables, search, item)
        item = tables.right[item]
    state.root_free = state.free

"""Options and items that need no attention, because others are at least as good or as strict."""

from worker.compiling.clock import now
from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.cover import exclude, has, is_once, settle
from worker.set_cover.layout import FREE, UNLIMITED_TIMES, Tables
from worker.set_cover.linear.simplex import number_lines

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

    Whatever covers `item` covers them, and if both may be covered once only, their options without
    `item` are excluded. This is not undone before the search ends.
    """
    options, items, mark, times = tables.options, tables.items, tables.mark, tables.times
    is_minimal = search.state.minimal != 0
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        if tables.fate[options[at]] == FREE:
            for k in range(tables.first[options[at]], tables.middle[options[at]]):
                mark[items[k]] += ONE
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        if tables.fate[options[at]] == FREE:
            for k in range(tables.first[options[at]], tables.middle[options[at]]):
                other = items[k]
                implied = mark[other] == tables.size[item] and times[other] == ZERO
                if implied and other != item and (is_minimal or is_once(tables, other)):
                    if is_minimal:
                        times[other] = ONE
                    else:
                        exclude_without(tables, search, other, item)
                    tables.left[tables.right[other]] = tables.left[other]
                    tables.right[tables.left[other]] = tables.right[other]
                    search.state.open -= ONE
                mark[other] = ZERO


@compiled
def exclude_without(tables: Tables, search: Search, other: Int, item: Int) -> None:
    """Exclude the options of `other` without `item`; then it has no others, and binds no longer."""
    for at in range(tables.begin[other], tables.begin[other + ONE]):
        option = tables.options[at]
        if tables.fate[option] == FREE and not has(tables, option, item):
            exclude(tables, search, option)
    tables.least[other], tables.most[other] = ZERO, UNLIMITED_TIMES


@compiled
def reduce(tables: Tables, search: Search) -> None:
    """Do what needs no budget, and is not undone before the search ends; once, unless it is dead.

    What is forced is decided. Of set covers, dominated options are excluded if one cover is enough.
    Implied items leave the ring. This is repeated while it makes the problem much smaller.
    """
    state, deadline = search.state, now(search.clock) + REDUCING_NS
    again = True
    while again and state.dead == 0:
        before = state.free + state.open
        reduce_once(tables, search, deadline)
        again = (before - state.free - state.open) * MUCH > before
    number_lines(tables, search)


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
    while item != 0 and now(search.clock) < deadline:
        if tables.size[item] != ZERO and (state.minimal != 0 or is_once(tables, item)):
            leave_implied(tables, search, item)
        item = tables.right[item]
    settle(tables, search)
    state.root_free, state.infeasible = state.free, state.dead

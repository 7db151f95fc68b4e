"""Where the search branches: on an option, or on two items that one option has, or not.

Where items are covered once, to exclude one option of many changes little. So the search branches
on whether the option that covers an item has another item as well (Ryan and Foster, *An integer
programming approach to scheduling*, 1981): each branch excludes about half of the options. Else,
and if there is no such pair, an option is chosen, or excluded. `probe` compares such guesses; here
is what a branch does, and where to branch without a linear relaxation.
"""

from worker.compiling.jit import compiled
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.cover import choose, exclude, has
from worker.set_cover.layout import FREE, ONLY_EXCLUDE, UNLIMITED_TIMES, Tables
from worker.set_cover.linear.simplex import use_of


@compiled
def smallest(tables: Tables) -> Int:
    """Return the open item with the fewest options to spare; of equals, of the highest multiplier.

    An item that can spare s options can do without s of them, so it has s + 1 branches.
    """
    item = best = tables.right[0]
    fewest = tables.size[best] - tables.least[best]
    while item != 0:
        spare = tables.size[item] - tables.least[item]
        if spare < fewest or (
            spare == fewest and tables.multiplier[item] > tables.multiplier[best]
        ):
            best, fewest = item, spare
        item = tables.right[item]
    return best


@compiled
def tightest(tables: Tables, gap: Int) -> Int:
    """Return, of the items that need not be covered but are in all wanted covers, the smallest."""
    best, fewest = ZERO, UNLIMITED_TIMES
    for item in range(ONE, Unsigned(tables.live.size)):
        left = tables.size[item] - tables.times[item]
        if (
            -tables.live[item] > gap
            and tables.times[item] < tables.most[item]
            and ZERO < left < fewest
        ):
            best, fewest = item, left
    return best


@compiled
def best_option(tables: Tables, search: Search, item: Int) -> Int:
    """Return the option to branch on: of an item, or of all if `item` is 0.

    That of an item is the one that the linear relaxation uses most, or of the least reduced cost.
    Where no item is open, each free option may be added to the cover or not.
    """
    if item == ZERO:
        return least_reduced(tables, search)
    best, most, found = tables.options[tables.begin[item]], 0.0, False
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        option = tables.options[at]
        if tables.fate[option] == FREE:
            rank = -float(tables.reduced[option])
            if search.state.has_basis != 0:
                rank = use_of(tables, option)
            if not found or rank > most:
                best, most, found = option, rank, True
    return best


@compiled
def least_reduced(tables: Tables, search: Search) -> Int:
    """Return a free option: of negative cost if there is one, and of these the least reduced."""
    best = tables.order[0]
    for k in range(search.state.free):
        option = tables.order[k]
        if tables.cost[option] < 0 and (
            tables.cost[best] >= 0 or tables.reduced[option] < tables.reduced[best]
        ):
            best = option
    return best


@compiled
def divide(tables: Tables, search: Search, item: Int, other: Int, left: Int) -> None:
    """Exclude the options of `item` that have `other` if ONLY_EXCLUDE is left, or those without it.

    If `other` may be covered once only, the latter excludes its options without `item` as well.
    """
    options, apart = tables.options, left == ONLY_EXCLUDE
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        if tables.fate[options[at]] == FREE and has(tables, options[at], other) == apart:
            exclude(tables, search, options[at])
    if not apart and tables.most[other] == ONE:
        for at in range(tables.begin[other], tables.begin[other + ONE]):
            if tables.fate[options[at]] == FREE and not has(tables, options[at], item):
                exclude(tables, search, options[at])


@compiled
def take(tables: Tables, search: Search, option: Int, other: Int, left: Int) -> None:
    """Enter a branch: an option is chosen, or excluded if that is left; or that of a pair."""
    if other != ZERO:
        divide(tables, search, option, other, left)
    elif left == ONLY_EXCLUDE:
        exclude(tables, search, option)
    else:
        choose(tables, search, option)

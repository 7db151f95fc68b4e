"""Where the search branches: on an option, or on two items that one option has, or not.

Where items are covered once, to exclude one option of many changes little. So the search branches
on whether the option that covers an item has another item as well (Ryan and Foster, *An integer
programming approach to scheduling*, 1981): each branch excludes about half of the options. In the
linear relaxation, options are used in part. Pairs of items of which options that are used half in
all have both are probed: a few pivots in either branch tell how far its bound rises, and the pair
with the greatest product of both is best (*strong branching*: Applegate, Bixby, Chvátal and Cook,
*Finding cuts in the TSP*, 1995). If there is no pair, an option is chosen, or excluded.
"""

import numpy as np

from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import UNBOUNDED, Search
from worker.set_cover.bound import settle_bound, settle_relaxation
from worker.set_cover.cover import exclude, has, is_once, undo
from worker.set_cover.layout import (
    FREE,
    MAX_PAIRS,
    ONLY_CHOOSE,
    ONLY_EXCLUDE,
    UNLIMITED_TIMES,
    Tables,
)
from worker.set_cover.linear.pivot import copy_factors
from worker.set_cover.linear.simplex import return_to_kept, use_of

#: pivots in either branch of a pair that is probed, at most
PROBE_PIVOTS = 25
#: nanoseconds by which probes may exceed a slice, so that it does not matter when they begin
GRACE_NS = 250_000_000
#: an option that is used less is left out; and how far from a half the use of a pair may be
LEAST_USE, MOST_UNEVEN = 0.001, 0.48
#: pairs whose use differs by less have the same options, as good as always
SAME = 1e-6
#: what `best_pair` returns if there is none, and if a probe has closed a branch
NO_PAIR, CLOSED = -1, -2


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
                rank = use_of(tables, option, search.state.lines)
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
def best_pair(tables: Tables, search: Search) -> Int:
    """Return the index in `pairs` of the pair to branch on, NO_PAIR, or CLOSED.

    CLOSED means that one branch of a pair is within no budget: what the other excludes is excluded.
    """
    state = search.state
    if state.sweeps == 0 or state.budget == UNBOUNDED or state.has_basis == 0:
        return NO_PAIR
    number = list_pairs(tables, search)
    if number <= 1:
        return number - 1
    size, best, found = Unsigned(tables.multiplier.size), -1.0, NO_PAIR
    copy(tables.multiplier, ZERO, tables.before, ZERO, size)
    copy_factors(tables.basis.factors, tables.basis.kept, state.lines)
    base, closed, until = state.lowest, False, state.until
    state.until = min(until + GRACE_NS, state.deadline)
    for k in range(number):
        together = probe(tables, search, k, ONLY_CHOOSE)
        apart = probe(tables, search, k, ONLY_EXCLUDE) if together <= state.budget else base
        if together > state.budget or apart > state.budget:
            left = ONLY_EXCLUDE if together > state.budget else ONLY_CHOOSE
            divide(tables, search, tables.pairs[2 * k], tables.pairs[2 * k + 1], left)
            closed = True
            break
        product = float(max(1, together - base)) * float(max(1, apart - base))
        if product > best:
            best, found = product, k
    state.lowest, state.until = base, until
    return CLOSED if closed else found


@compiled
def probe(tables: Tables, search: Search, index: Int, left: Int) -> Int:
    """Return the bound of one branch of a pair, more than the budget if it has no cover."""
    state = search.state
    free, bound, size = state.free, state.budget + 1, Unsigned(tables.multiplier.size)
    divide(tables, search, tables.pairs[2 * index], tables.pairs[2 * index + 1], left)
    low = settle_bound(tables, search) if state.dead == 0 else bound
    if state.dead == 0 and state.open != ZERO:
        low = max(low, settle_relaxation(tables, search, PROBE_PIVOTS))
    if state.dead == 0:
        bound = low
    undo(tables, search, free)
    copy(tables.before, ZERO, tables.multiplier, ZERO, size)
    return_to_kept(tables, state.lines)
    return np.int64(bound)


@compiled
def list_pairs(tables: Tables, search: Search) -> Int:
    """List the pairs whose use is nearest to a half, at most MAX_PAIRS; return their number."""
    state, use = search.state, tables.slack
    for k in range(state.free):
        option = tables.order[k]
        use[option] = use_of(tables, option, state.lines)
    number = 0
    item = tables.right[0]
    while item != 0:
        if is_once(tables, item):
            number = list_pairs_with(tables, item, number)
        item = tables.right[item]
    return number


@compiled
def list_pairs_with(tables: Tables, item: Int, number: Int) -> Int:
    """List those of them with one item; where both are covered once, the other is a later one."""
    options, use, joint = tables.options, tables.slack, tables.joint
    total = 0.0
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        option = options[at]
        if tables.fate[option] == FREE and use[option] > LEAST_USE:
            total += use[option]
            for k in range(tables.first[option], tables.first[option + ONE]):
                joint[tables.items[k]] += use[option]
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        option = options[at]
        if tables.fate[option] == FREE and use[option] > LEAST_USE:
            for k in range(tables.first[option], tables.first[option + ONE]):
                other = tables.items[k]
                uneven = abs(joint[other] / total - 0.5)
                has_several = joint[other] - use[option] > LEAST_USE
                if has_several and (other > item or not is_once(tables, other)):
                    number = insert(tables, number, uneven, item, other)
                joint[other] = 0.0
    return number


@compiled
def insert(tables: Tables, number: Int, uneven: float, item: Int, other: Int) -> Int:
    """Insert a pair into the list of `number`, in order; return how many there are then."""
    pairs, order = tables.pairs, tables.uneven
    # A basis that is spoilt may use options so often that this is not a number.
    if not uneven <= MOST_UNEVEN or (number == MAX_PAIRS and uneven >= order[MAX_PAIRS - 1]):
        return number
    for k in range(number):
        if abs(order[k] - uneven) < SAME:
            return number
    at = Unsigned(min(number, MAX_PAIRS - 1))
    while at != ZERO and order[at - ONE] > uneven:
        order[at] = order[at - ONE]
        pairs[2 * at], pairs[2 * at + 1] = pairs[2 * at - 2], pairs[2 * at - 1]
        at -= ONE
    order[at] = uneven
    pairs[2 * at], pairs[2 * at + 1] = item, other
    return min(number + 1, MAX_PAIRS)

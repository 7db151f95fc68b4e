"""Probes: which guess raises the bound of the linear relaxation most in both of its branches.

In the linear relaxation, options are used in part. Where items are covered once, the guesses are
pairs of items of which options that are used half in all have both; elsewhere they are options. A
few pivots in either branch tell how far its bound rises, and the guess with the greatest product of
both is best (*strong branching*: Applegate, Bixby, Chvátal and Cook, *Finding cuts in the TSP*,
1995). What probes of an option have shown so far sorts the options, and after enough of them it is
taken for the result of a further one (*reliability branching*: Achterberg, Koch and Martin,
*Branching rules revisited*, Operations Research Letters 33, 2005).
"""

import numpy as np

from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover.state import Search
from worker.set_cover.bound import settle_bound, settle_relaxation
from worker.set_cover.branch import take
from worker.set_cover.cover import is_once, undo
from worker.set_cover.layout import FREE, MAX_PROBED, ONLY_CHOOSE, ONLY_EXCLUDE, Tables
from worker.set_cover.linear.simplex import use_of
from worker.set_cover.linear.stack import load_basis, save_basis

#: pivots in either branch of a guess that is probed, at most
PROBE_PIVOTS = 10
#: nanoseconds by which probes may exceed a slice, so that it does not matter when they begin
GRACE_NS = 250_000_000
#: an option that is used less is left out; and how far from a half the use of a guess may be
LEAST_USE, MOST_UNEVEN = 0.001, 0.48
#: pairs whose use differs by less have the same options, as good as always
SAME = 1e-6
#: guesses that are probed after the best one; and the probes of either branch of an option after
#: which there are no more
PATIENCE, RELIABLE = 4, 16
#: a rise is divided by no less than this use
LEAST_CHANGE = 0.05
#: what `best_guess` returns if there is none, and if a probe has closed a branch
NO_GUESS, CLOSED = -1, -2


@compiled
def best_guess(tables: Tables, search: Search, item: Int) -> Int:
    """Return the index in `guesses` of the best one, NO_GUESS, or CLOSED.

    The guesses are pairs if `item` is covered once. CLOSED means that one branch of a guess is
    within no budget: what the other decides is decided.
    """
    state = search.state
    if state.sweeps == 0 or state.has_basis == 0:
        return NO_GUESS
    list_uses(tables, search)
    number = list_pairs(tables) if is_once(tables, item) else list_options(tables, search)
    if number <= 1:
        return number - 1
    size, best, found = Unsigned(tables.multiplier.size), -1.0, NO_GUESS
    copy(tables.multiplier, ZERO, tables.before, ZERO, size)
    save_basis(tables, search)
    base, until = max(state.lowest, state.spent), state.until
    state.until = min(until + GRACE_NS, state.deadline)
    for k in range(number):
        if k > found + PATIENCE:
            break
        option, other = Unsigned(tables.guesses[2 * k]), tables.guesses[2 * k + 1]
        if other == ZERO and is_reliable(tables, option):
            product = expected(tables, option)
        else:
            product = compare(tables, search, option, other, base)
        if product < 0.0:
            found = CLOSED
            break
        if product > best:
            best, found = product, k
    state.lowest, state.until = base, until
    return found


@compiled
def compare(tables: Tables, search: Search, one: Int, other: Int, base: Int) -> float:
    """Return the product of both rises above the bound `base`, or -1 if a branch is closed.

    Then the other branch is entered.
    """
    most = search.state.budget + 1 - base
    together = min(most, probe(tables, search, one, other, ONLY_CHOOSE) - base)
    learn(tables, one, other, ONLY_CHOOSE, float(together))
    if together == most:
        take(tables, search, one, other, ONLY_EXCLUDE)
        return -1.0
    apart = min(most, probe(tables, search, one, other, ONLY_EXCLUDE) - base)
    learn(tables, one, other, ONLY_EXCLUDE, float(apart))
    if apart == most:
        take(tables, search, one, other, ONLY_CHOOSE)
        return -1.0
    return float(max(1, together)) * float(max(1, apart))


@compiled
def probe(tables: Tables, search: Search, one: Int, other: Int, left: Int) -> Int:
    """Return the bound of one branch of a guess, more than the budget if it has no cover."""
    state = search.state
    free, bound, size = state.free, state.budget + 1, Unsigned(tables.multiplier.size)
    take(tables, search, one, other, left)
    low = settle_bound(tables, search) if state.dead == 0 else bound
    if state.dead == 0 and state.open != ZERO:
        low = max(low, settle_relaxation(tables, search, PROBE_PIVOTS))
    if state.dead == 0:
        bound = low
    undo(tables, search, free)
    copy(tables.before, ZERO, tables.multiplier, ZERO, size)
    load_basis(tables, search, Unsigned(state.saved))
    return np.int64(bound)


@compiled
def entry_of(option: Int, left: Int) -> Int:
    """Return the index of a branch of an option in `rise` and `probes`."""
    entry = option + option
    return entry + ONE if left == ONLY_EXCLUDE else entry


@compiled
def learn(tables: Tables, option: Int, other: Int, left: Int, rise: float) -> None:
    """Record by how much a branch of an option has raised the bound; of pairs, nothing.

    Behind the options is the sum of all.
    """
    if other == ZERO:
        use = float(tables.slack[option])
        change = max(LEAST_CHANGE, use if left == ONLY_EXCLUDE else 1.0 - use)
        for one in (Unsigned(option), Unsigned(tables.cost.size)):
            entry = entry_of(one, left)
            tables.rise[entry] += float(max(0.0, rise)) / float(change)
            tables.probes[entry] += ONE


@compiled
def is_reliable(tables: Tables, option: Int) -> bool:
    """Return whether both branches of an option were probed often enough."""
    entry = entry_of(option, ONLY_CHOOSE)
    return bool(tables.probes[entry] >= RELIABLE and tables.probes[entry + ONE] >= RELIABLE)


@compiled
def mean_rise(tables: Tables, option: Int, left: Int) -> float:
    """Return the mean rise of a branch of an option for 1 of use; that of all if it is unknown."""
    entry = entry_of(option, left)
    if tables.probes[entry] == ZERO:
        entry = entry_of(Unsigned(tables.cost.size), left)
    return float(tables.rise[entry]) / float(max(ONE, tables.probes[entry]))


@compiled
def expected(tables: Tables, option: Int) -> float:
    """Return the product of the rises that are expected of both branches of an option."""
    use = float(tables.slack[option])
    together = (1.0 - use) * mean_rise(tables, option, ONLY_CHOOSE)
    apart = use * mean_rise(tables, option, ONLY_EXCLUDE)
    return float(max(1.0, together)) * float(max(1.0, apart))


@compiled
def list_uses(tables: Tables, search: Search) -> None:
    """Let `slack` be how much the linear relaxation uses each free option."""
    for k in range(search.state.free):
        option = Unsigned(tables.order[k])
        tables.slack[option] = use_of(tables, option)


@compiled
def list_options(tables: Tables, search: Search) -> Int:
    """List the options that promise most, MAX_PROBED of them at most; return their number."""
    number = 0
    for k in range(search.state.free):
        option = Unsigned(tables.order[k])
        if abs(tables.slack[option] - 0.5) <= MOST_UNEVEN:
            number = insert(tables, number, -expected(tables, option), option, ZERO)
    return number


@compiled
def list_pairs(tables: Tables) -> Int:
    """List the pairs whose use is nearest to a half, at most MAX_PROBED; return their number."""
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
                is_even = uneven <= MOST_UNEVEN
                if has_several and is_even and (other > item or not is_once(tables, other)):
                    number = insert(tables, number, uneven, item, other)
                joint[other] = 0.0
    return number


@compiled
def insert(tables: Tables, number: Int, key: float, one: Int, other: Int) -> Int:
    """Insert a guess into the list of `number`, in order; return how many there are then."""
    guesses, keys = tables.guesses, tables.keys
    # A basis that is spoilt may use options so often that this is not a number.
    if not key < np.inf or (number == MAX_PROBED and key >= keys[MAX_PROBED - 1]):
        return number
    for k in range(number):
        if other != ZERO and abs(keys[k] - key) < SAME:
            return number
    at = Unsigned(min(number, MAX_PROBED - 1))
    while at != ZERO and keys[at - ONE] > key:
        keys[at] = keys[at - ONE]
        guesses[2 * at], guesses[2 * at + 1] = guesses[2 * at - 2], guesses[2 * at - 1]
        at -= ONE
    keys[at] = key
    guesses[2 * at], guesses[2 * at + 1] = one, other
    return min(number + 1, MAX_PROBED)

"""Depth-first search for set covers: an option is chosen or it is not."""

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.jit import ONE, TWO, ZERO, Int, Unsigned, compiled, entry
from worker.exact_cover.solutions import lower_budget, next_slot, rank
from worker.exact_cover.state import EXHAUSTED, FULL, LIMITED, NODE_LIMITED, PAUSED, TIMED_OUT
from worker.set_cover.bound import estimate, tighten
from worker.set_cover.cover import choose, exclude, settle, undo
from worker.set_cover.dominance import exclude_dominated, reduce, undo_all
from worker.set_cover.layout import CHOSEN, FREE, Search, Tables, Terms


@compiled
def enter(tables: Tables, search: Search) -> None:
    """Start at the root: push the items that have one option."""
    state = search.state
    state.entered = 1
    item = tables.right[0]
    while item != 0:
        if tables.size[item] < TWO:
            if tables.size[item] == ZERO:
                state.dead = 1
            else:
                tables.forced[state.forced] = item
                state.forced += ONE
        item = tables.right[item]


@compiled
def advance(tables: Tables, search: Search, terms: Terms, pause: Int, deadline: Int) -> Int:
    """Improve the bound at the root by `root_sweeps` sweeps; if that is 0, continue the search."""
    state, sweeps = search.state, search.state.root_sweeps
    if state.entered == 0:
        enter(tables, search)
        if terms.sweeps != 0 and state.dead == 0:
            state.bound = estimate(tables, search)
    if sweeps == 0:
        if terms.sweeps != 0 and state.reduced == 0:
            state.reduced = 1
            reduce(tables, search, terms.single, pause)
        return run(tables, search, terms, pause, deadline)
    state.root_sweeps = 0
    state.bound = max(state.bound, tighten(tables, search, sweeps, terms.step, True))
    return PAUSED


@compiled
def descend(tables: Tables, search: Search, terms: Terms) -> None:
    """Choose and exclude what must be; set `state.dead` if no wanted cover is below this node."""
    state = search.state
    settle(tables, search)
    if state.dead == 0 and state.open != ZERO:
        if terms.sweeps == 0:
            if state.spent + estimate(tables, search) > state.budget:
                state.dead = 1
        else:
            tighten(tables, search, terms.sweeps, terms.step, False)
    if state.spent > state.budget:
        state.dead = 1


@compiled
def smallest(tables: Tables, search: Search) -> Int:
    """Return the open item with the fewest options; of equals, that of the highest multiplier."""
    item = tables.right[0]
    best = item
    while item != 0:
        if tables.size[item] < tables.size[best] or (
            tables.size[item] == tables.size[best]
            and search.multiplier[item] > search.multiplier[best]
        ):
            best = item
        item = tables.right[item]
    return best


@compiled
def cheapest(tables: Tables, search: Search, item: Int) -> Int:
    """Return the option of an item with the least reduced cost."""
    options, best, found = tables.options, tables.options[tables.begin[item]], False
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        option = options[at]
        if tables.fate[option] == FREE and (
            not found or search.reduced[option] < search.reduced[best]
        ):
            best, found = option, True
    return best


@compiled
def is_needed(tables: Tables, option: Int) -> bool:
    """Return whether a chosen option has an item that no other chosen option has."""
    for at in range(tables.first[option], tables.middle[option]):
        if tables.times[tables.items[at]] == ONE:
            return True
    return False


@compiled
def record(tables: Tables, search: Search, terms: Terms) -> None:
    """Count and keep the cover at this node, unless an option of it can be left out."""
    state, kept = search.state, search.kept
    end, free = Unsigned(tables.order.size), state.free
    for at in range(free, end):
        option = tables.order[at]
        if tables.fate[option] == CHOSEN and not is_needed(tables, option):
            return
    state.found += 1
    if state.kept == terms.wanted and state.spent >= kept.cost[kept.heap[0]]:
        return
    slot, length = next_slot(state, kept, terms.wanted), 0
    for at in range(free, end):
        option = tables.order[at]
        if tables.fate[option] == CHOSEN:
            kept.options[slot, length] = option
            length += 1
    rank(state, kept, slot, length, state.spent, terms.wanted)
    lower_budget(state, kept, terms)


@compiled
def save(search: Search, level: Int) -> None:
    """Save the multipliers of a level, if there is room for them."""
    size = Unsigned(search.multiplier.size)
    if (level + ONE) * size <= Unsigned(search.saved.size):
        for item in range(size):
            search.saved[level * size + item] = search.multiplier[item]


@compiled
def restore(search: Search, level: Int) -> None:
    """Restore what `save` saved."""
    size = Unsigned(search.multiplier.size)
    if (level + ONE) * size <= Unsigned(search.saved.size):
        for item in range(size):
            search.multiplier[item] = search.saved[level * size + item]


@compiled
def go_back(tables: Tables, search: Search) -> bool:
    """Exclude the latest guess that was not excluded yet; return whether there was one."""
    state = search.state
    while state.level != ZERO:
        level = state.level - ONE
        undo(tables, search, search.free[level])
        if search.excluded[level] == ZERO:
            search.excluded[level] = ONE
            restore(search, level)
            exclude(tables, search, search.guess[level])
            state.nodes += 1
            return True
        state.level = level
    return False


@compiled
def guess(tables: Tables, search: Search, option: Int) -> None:
    """Choose an option, to exclude it later."""
    state = search.state
    level = state.level
    search.guess[level], search.free[level], search.excluded[level] = option, state.free, ZERO
    save(search, level)
    state.level = level + ONE
    state.nodes += 1
    choose(tables, search, option)


@compiled
def leave(tables: Tables, search: Search) -> None:
    """Return to the root, and undo what was done there; the search may begin again."""
    undo_all(tables, search)
    search.state.level, search.state.entered = ZERO, 0


@compiled
def run(tables: Tables, search: Search, terms: Terms, pause: Int, deadline: Int) -> Int:
    """Continue the search, and return why it stopped: a constant of `exact_cover.state`.

    It pauses at the time `pause` and ends at the time `deadline`, both in nanoseconds of `now`.
    Unless it is PAUSED or FULL, every table is as it was at the start.
    """
    state = search.state
    first_node = state.nodes
    while True:
        time = now(search.clock)
        if time >= deadline or state.found == terms.limit:
            leave(tables, search)
            return LIMITED if state.found == terms.limit else TIMED_OUT
        if state.nodes >= state.node_limit:
            leave(tables, search)
            return NODE_LIMITED
        if time >= pause and state.nodes != first_node:
            return PAUSED
        if state.kept == search.kept.cost.size and state.kept < terms.wanted:
            return FULL
        descend(tables, search, terms)
        if state.dead == 0 and state.open == ZERO:
            record(tables, search, terms)
            state.dead = 1
            continue  # this may have been the last one that was wanted
        if state.dead != 0:
            if not go_back(tables, search):
                leave(tables, search)
                return EXHAUSTED
            continue
        item = smallest(tables, search)
        if terms.single and terms.sweeps != 0:
            exclude_dominated(tables, search, item)
            if state.forced != ZERO or state.dead != 0:
                continue
        guess(tables, search, cheapest(tables, search, item))


@entry(exact_cover.__file__, __file__)
def search_slice(
    tables: Tables, search: Search, terms: Terms, slice_ns: Int, timeout_ns: Int
) -> tuple[Int, Int]:
    """Search for `slice_ns` nanoseconds, or improve the bound at the root by `root_sweeps` sweeps.

    Return why it stopped, and the wall time that it took. It ends after `timeout_ns`.
    """
    began = now(search.clock)
    status = advance(tables, search, terms, began + slice_ns, began + timeout_ns)
    return status, now(search.clock) - began

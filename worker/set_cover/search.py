"""Depth-first search for cheap covers: an option is chosen or it is not."""

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, copy
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.search import GOING_ON, look_at_clock
from worker.exact_cover.solutions import is_full, is_wanted, next_slot, rank
from worker.exact_cover.state import Search, Terms
from worker.set_cover.bound import estimate, tighten, tighten_root
from worker.set_cover.cover import choose, exclude, settle, undo
from worker.set_cover.dominance import exclude_dominated, reduce
from worker.set_cover.layout import BOTH, CHOSEN, FREE, ONLY_EXCLUDE, UNLIMITED_TIMES, Tables


@compiled
def enter(tables: Tables, search: Search) -> None:
    """Start at the root: exclude options without a primary item; push what is forced."""
    state = search.state
    state.started, state.visited, state.reduced = 1, 0, 0
    for option in range(Unsigned(tables.cost.size)):
        if tables.first[option] == tables.middle[option]:
            exclude(tables, search, option)
    item = tables.right[0]
    while item != 0:
        if tables.size[item] < tables.least[item]:
            state.dead = 1
        elif tables.size[item] == tables.least[item]:
            tables.forced[state.forced] = item
            state.forced += ONE
        item = tables.right[item]


@compiled
def advance(tables: Tables, search: Search, terms: Terms, pause: Int, deadline: Int) -> Int:
    """Improve the bound at the root by `root_sweeps` sweeps; if that is 0, continue the search."""
    state = search.state
    state.until = min(pause, deadline)
    if state.started == 0:
        enter(tables, search)
        if state.sweeps != 0 and state.dead == 0 and state.bound <= state.spent:
            state.bound = state.spent + estimate(tables, search)
    if state.root_sweeps == 0:
        if state.sweeps != 0 and state.reduced == 0:
            reduce(tables, search, pause)
        return run(tables, search, terms, pause, deadline)
    state.bound = max(state.bound, tighten_root(tables, search))
    return stops.PAUSED


@compiled
def descend(tables: Tables, search: Search, terms: Terms) -> None:
    """Choose and exclude what must be; set `state.dead` if no wanted cover is below this node."""
    state = search.state
    settle(tables, search)
    if state.dead == 0 and (state.open | state.profitable != ZERO or state.visited != 0):
        if state.sweeps != 0:
            tighten(tables, search, terms.step)
        elif state.spent + estimate(tables, search) > state.budget:
            state.dead = 1
    if state.spent > state.budget:
        state.dead = 1


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
def cheapest(tables: Tables, item: Int) -> Int:
    """Return the option of an item with the least reduced cost."""
    options, best, found = tables.options, tables.options[tables.begin[item]], False
    for at in range(tables.begin[item], tables.begin[item + ONE]):
        option = options[at]
        if tables.fate[option] == FREE and (
            not found or tables.reduced[option] < tables.reduced[best]
        ):
            best, found = option, True
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
def is_needed(tables: Tables, option: Int) -> bool:
    """Return whether a chosen option has an item that no other chosen option has."""
    for at in range(tables.first[option], tables.middle[option]):
        if tables.times[tables.items[at]] == ONE:
            return True
    return False


@compiled
def record(tables: Tables, search: Search, terms: Terms) -> None:
    """Count and keep the cover at this node; a set cover only if no option can be left out."""
    state = search.state
    end, free = Unsigned(tables.order.size), state.free
    for at in range(free, end):
        option = tables.order[at]
        if state.minimal != 0 and tables.fate[option] == CHOSEN and not is_needed(tables, option):
            return
    state.found += 1
    if not is_wanted(search, terms, state.spent):
        return
    slot, length = next_slot(search, terms), 0
    for at in range(free, end):
        option = tables.order[at]
        if tables.fate[option] == CHOSEN:
            search.kept.options[slot, length] = option
            length += 1
    rank(search, terms, slot, length, state.spent)


@compiled
def save(tables: Tables, level: Int) -> None:
    """Save the multipliers of a level, if there is room for them."""
    size = Unsigned(tables.multiplier.size)
    if (level + ONE) * size <= Unsigned(tables.saved.size):
        copy(tables.multiplier, ZERO, tables.saved, level * size, size)


@compiled
def restore(tables: Tables, level: Int) -> None:
    """Restore what `save` saved."""
    size = Unsigned(tables.multiplier.size)
    if (level + ONE) * size <= Unsigned(tables.saved.size):
        copy(tables.saved, level * size, tables.multiplier, ZERO, size)


@compiled
def go_back(tables: Tables, search: Search) -> bool:
    """Exclude the latest guess that was not excluded yet; return whether there was one."""
    state = search.state
    while state.level != 0:
        saved = search.guesses[state.level - 1]
        undo(tables, search, saved.free)
        state.visited = saved.visited
        if saved.left == BOTH:
            saved.left = ONLY_EXCLUDE
            restore(tables, Unsigned(state.level - 1))
            exclude(tables, search, saved.option)
            state.nodes += 1
            return True
        state.level -= 1
    return False


@compiled
def guess(tables: Tables, search: Search, option: Int, left: Int) -> None:
    """Choose an option, to exclude it later; or do only one of these."""
    state = search.state
    saved = search.guesses[state.level]
    saved.option, saved.free, saved.left = option, state.free, left
    saved.visited = state.visited
    save(tables, Unsigned(state.level))
    state.level += 1
    state.nodes += 1
    if left == ONLY_EXCLUDE:
        exclude(tables, search, option)
    else:
        choose(tables, search, option)


@compiled
def leave(tables: Tables, search: Search) -> None:
    """Return to the root; the search may begin again there."""
    search.state.level = search.state.visited = 0
    if search.state.reduced != 0:
        undo(tables, search, search.state.root_free)
    else:
        undo(tables, search, Unsigned(tables.order.size))
        search.state.started = 0


@compiled
def run(tables: Tables, search: Search, terms: Terms, pause: Int, deadline: Int) -> Int:
    """Continue the search, and return why it stopped: a constant of `exact_cover.state`.

    It pauses at the time `pause` and ends at the time `deadline`, both in nanoseconds of `now`.
    Unless it is PAUSED or FULL, every table is as it was at the root.
    """
    state = search.state
    first_node = state.nodes
    while True:
        status = stops.LIMITED
        if state.found != terms.limit:
            status = look_at_clock(search, first_node, pause, deadline)
        if status == GOING_ON and is_full(search, terms):
            status = stops.FULL
        if status == stops.PAUSED or status == stops.FULL:  # noqa: PLR1714 # `in` compiles a loop
            return status
        if status != GOING_ON:
            leave(tables, search)
            return status
        descend(tables, search, terms)
        if state.dead == 0 and state.open | state.profitable == ZERO and state.visited == 0:
            record(tables, search, terms)
            state.visited, state.dead = 1, state.single | state.minimal
            continue  # this may have been the last one that was wanted
        if state.open == ZERO and state.free == ZERO:
            state.dead = 1
        if state.dead != 0:
            if not go_back(tables, search):
                leave(tables, search)
                return stops.EXHAUSTED
            continue
        item = smallest(tables)
        if item == 0 and state.profitable != ZERO:
            item = tightest(tables, state.budget - state.lowest)
        if item != 0 and state.single & state.minimal != 0 and state.sweeps != 0:
            exclude_dominated(tables, search, item)
            if state.forced != ZERO or state.dead != 0:
                continue
        # Where no item is open, each free option may be added to the cover or not.
        option = least_reduced(tables, search) if item == 0 else cheapest(tables, item)
        guess(tables, search, option, BOTH)


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

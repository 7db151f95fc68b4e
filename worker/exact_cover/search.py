"""Algorithm X with dancing item links and bit-mask options (Knuth, TAOCP 7.2.2.1).

Two things differ from the book. An item with one option left is not branched on: its option is
chosen at once. And a solution is recognised when every open item has one option left, because
these options are the rest of it.
"""

import numpy as np

from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, copy, inlined, lowest_bit
from worker.compiling.numbers import ONE, ZERO, Int, Unsigned
from worker.exact_cover import stops
from worker.exact_cover.branch import best_pair, cheapest, smallest
from worker.exact_cover.cover import (
    Counts,
    choose,
    first_word_left,
    is_open,
    relink,
    size_of,
    take_stock,
    undo_trail,
    unmark,
)
from worker.exact_cover.exclude import confine, exclude_expensive, is_one_too_expensive
from worker.exact_cover.form import first_size, has_rows, next_word
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import OPTION_BITS
from worker.exact_cover.solutions import is_full, record_solution
from worker.exact_cover.state import MANY_SOLUTIONS, Search, Terms

#: nothing is in the way of the next node
GOING_ON = 0


@compiled
def enter_root(links: Links, search: Search) -> None:
    """X1. Choose nothing yet; push the open items that have one option left, or two."""
    state = search.state
    state.level = state.length = state.spent = state.dead = 0
    state.forced = state.pairs = state.trail = state.open = state.excluded = ZERO
    if has_rows(links):
        counts, dead = take_stock(links, ZERO)
        state.forced, state.single, state.pairs = counts.forced, counts.single, counts.pairs
        state.open, state.dead = counts.open, dead
    else:
        push_small_items(links, search)
    state.started = 1
    if links.snapshots.size:
        copy(links.mask, ZERO, links.snapshots, ZERO, Unsigned(links.mask.size))


@inlined
def push_small_items(links: Links, search: Search) -> None:
    """Push the open items that have one option left, or two, and count all."""
    state, right = search.state, links.right
    item = right[0]
    while item != 0:
        left = size_of(links, item)
        state.open += ONE
        if left == 0:
            state.dead = 1
        elif left == 1:
            links.forced[state.forced] = item
            state.forced += ONE
        elif left == 2:
            links.pairs[state.pairs] = item
            state.pairs += ONE
        item = right[item]
    state.single = state.forced


@compiled
def look_at_clock(search: Search, entered: Int, pause: Int, deadline: Int) -> Int:
    """Return TIMED_OUT, PAUSED, NODE_LIMITED or GOING_ON.

    A slice that began at node `entered` does not end there, however short it is.
    """
    state = search.state
    time = now(search.clock)
    if time >= deadline:
        return stops.TIMED_OUT
    if time >= pause and state.nodes != entered:
        return stops.PAUSED
    if state.nodes >= state.node_limit:
        return stops.NODE_LIMITED
    return GOING_ON


@compiled
def visit_solution(
    links: Links, search: Search, terms: Terms, length: Int, spent: Int, visited: Int
) -> Int:
    """Count and keep a solution; return FULL, LIMITED, MANY or GOING_ON."""
    state = search.state
    if state.kept < terms.wanted or terms.costly:
        if is_full(search, terms):
            return stops.FULL
        record_solution(links, search, terms, length, spent)
    else:
        state.found += 1
    if state.found == terms.limit:
        return stops.LIMITED
    if state.found == MANY_SOLUTIONS and state.pairs_compared != ONE and state.first_nodes != 0:
        if terms.prune:  # its tree depends on what was found before in any case
            state.pairs_compared = ONE
        elif visited <= state.first_nodes:
            return stops.MANY
    return GOING_ON


@inlined
def save(links: Links, search: Search, level: Int, length: Int, spent: Int, counts: Counts) -> None:
    """Save the registers and, if masks are copied, the masks before a guess."""
    guess, size = search.guesses[level], Unsigned(links.mask.size)
    guess.length, guess.spent = length, spent
    guess.pairs, guess.trail, guess.open = counts.pairs, counts.trail, counts.open
    guess.excluded = search.state.excluded
    if links.snapshots.size:
        copy(links.mask, ZERO, links.snapshots, Unsigned(level) * size, size)


@inlined
def go_back(links: Links, search: Search, level: Int, length: Int, trail: Int) -> Int:
    """Undo everything since the guess of this level; return how many options were chosen then."""
    guess, size = search.guesses[level], Unsigned(links.mask.size)
    if links.snapshots.size:
        copy(links.snapshots, Unsigned(level) * size, links.mask, ZERO, size)
    else:
        for k in range(guess.length, length):
            unmark(links, search.chosen[k])
        undo_trail(links, guess.trail, trail)
    if has_rows(links):  # no item left the ring
        return guess.length
    while length > guess.length:
        length -= 1
        relink(links, search.chosen[length])
    return length


@inlined
def next_item(
    links: Links, counts: Counts, compared: Int, costs_count: bool
) -> tuple[Counts, Int, bool, bool]:
    """X3. Return the next item to cover, and whether it has one option, so that this is no guess.

    It is 0 if options were excluded instead; the last result is whether an item has none left then.
    """
    while counts.forced != ZERO:
        forced = counts.forced - ONE
        counts = Counts(forced, counts.single, counts.pairs, counts.trail, counts.open)
        item = Unsigned(links.forced[forced])
        if is_open(links, item):
            return counts, item, True, False
    best, common, one, two = best_pair(links, counts.pairs, compared, costs_count)
    if common != ZERO:
        counts, dead = confine(links, common, one, two, counts)
        return counts, ZERO, False, dead
    if best == ZERO:
        best = Unsigned(smallest(links))
    return counts, best, False, False


@compiled
def run(  # noqa: PLR0912, PLR0915 # the steps of the algorithm, in one place
    links: Links, search: Search, terms: Terms, pause: Int, deadline: Int
) -> Int:
    """Continue the search, and return why it stopped: one of the constants of `state`.

    It pauses at the time `pause` and ends at the time `deadline`, both in nanoseconds of `now`.
    Unless it is PAUSED or FULL, every table of `links` is as it was at the start.
    """
    mask, nodes = links.mask, links.nodes
    state, guesses, chosen = search.state, search.guesses, search.chosen
    if state.started == 0:
        enter_root(links, search)
    level, length, spent, dead = state.level, state.length, state.spent, state.dead != 0
    counts = Counts(state.forced, state.single, state.pairs, state.trail, state.open)
    all_primary = links.right.size == nodes.primary + 1
    visited = next_check = state.nodes
    compared, status, has_moved = state.pairs_compared, GOING_ON, False
    while True:
        if visited >= next_check:
            state.nodes = visited
            # Each slice makes or leaves a guess: what is forced may have to be chosen again.
            entered = np.int64(-1) if has_moved else visited
            status = look_at_clock(search, entered, pause, deadline)
            next_check = visited + state.clock_interval
        # X2. Enter the level. If every open item has one option left, these are the rest of a
        # solution: each is the only option of all its items. Two of them could only meet in a
        # secondary item, so with secondary items every item must be covered.
        solved = not dead and counts.open == (counts.single if all_primary else ZERO)
        if solved and status == GOING_ON:
            status = visit_solution(links, search, terms, length, spent, visited)
            compared = state.pairs_compared
        if status == stops.PAUSED or status == stops.FULL:  # noqa: PLR1714 # `in` compiles a loop
            state.level, state.length, state.spent = level, length, spent
            state.nodes, state.dead = visited, dead
            state.forced, state.single, state.pairs = counts.forced, counts.single, counts.pairs
            state.trail, state.open = counts.trail, counts.open
            return status
        if dead or solved or status != GOING_ON:  # X8. Leave the level.
            if status != GOING_ON:
                level = 0
            has_moved = True
            length = go_back(links, search, level, length, counts.trail)
            if level == 0:
                state.nodes = visited
                return stops.EXHAUSTED if status == GOING_ON else status
            guess = guesses[level]
            spent, dead, state.excluded = guess.spent, False, guess.excluded
            counts = Counts(ZERO, ZERO, guess.pairs, guess.trail, guess.open)
            word, rest = guess.word, guess.rest
        else:
            counts, item, is_forced, dead = next_item(links, counts, compared, terms.prune)
            if item == ZERO:
                continue
            level += 1  # left again below if the item is forced
            if not is_forced:
                has_moved = True
                save(links, search, level, length, spent, counts)
            word = first_word_left(links, item)
            rest = mask[word] & OPTION_BITS
        # X6. Try the next option of this item.
        bit = cheapest(links, word, rest) if terms.prune else lowest_bit(rest)
        node = nodes.first_node[word] + bit
        rest ^= ONE << bit
        if first_size(links):
            last = nodes.last_word[nodes.item[word]]
            while rest == ZERO and word != last:
                word = next_word(links, word)
                rest = mask[word] & OPTION_BITS
        if rest == ZERO:  # X7. It is the last one: backtrack to the level before.
            level -= 1
        else:
            guesses[level].word, guesses[level].rest = word, rest
        spent += links.cost[nodes.option[node]]
        if spent > state.budget:
            dead = True
            continue
        # X4, X5. Cover the items of this option, and enter the next level.
        chosen[length] = node
        length += 1
        visited += 1
        counts, dead = choose(links, node, counts)
        if terms.prune and not dead and is_one_too_expensive(links, state, spent):
            counts, dead = exclude_expensive(links, state, spent, counts)


@entry(__file__)
def search_slice(
    links: Links, search: Search, terms: Terms, slice_ns: Int, timeout_ns: Int
) -> tuple[Int, Int]:
    """Continue a search for `slice_ns` nanoseconds.

    Return why it stopped, and the wall time that it took. It ends after `timeout_ns`.
    """
    began = now(search.clock)
    status = run(links, search, terms, began + slice_ns, began + timeout_ns)
    return status, now(search.clock) - began

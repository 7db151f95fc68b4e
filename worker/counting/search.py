"""Algorithm X with a table of the states that it has counted.

It differs from `exact_cover.search` in three things. It branches by a rule that depends on the
state alone, because equal states are otherwise not met again. It looks each state up before it
branches, and stores its count when it leaves it. And what it returns from a level is a count, the
sum over the options of an item.

With a diagram, it returns nodes of that in place of counts: what it adds to the sum of a level is
the option and what was found after it.
"""

from typing import Any, NamedTuple

import numpy as np

from worker import exact_cover
from worker.compiling.clock import now
from worker.compiling.entry import entry
from worker.compiling.jit import compiled, copy, inlined, lowest_bit
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Record, Unsigned, record
from worker.counting.diagram import Diagram, add_node
from worker.counting.numbers import Words, add, set_small, subtract
from worker.counting.table import HEAD, NOWHERE, Table, find, is_crowded, store
from worker.exact_cover import stops
from worker.exact_cover.branch import smallest
from worker.exact_cover.cover import OWN_ITEM, Counts, choose, first_word_left, is_open, size_of
from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import OPTION_BITS
from worker.exact_cover.search import GOING_ON, enter_root, go_back, look_at_clock, save
from worker.exact_cover.solutions import record_solution
from worker.exact_cover.state import Search, Terms

#: Why a search returned, besides the constants of `exact_cover.state`. It continues when it is
#: called again with a larger table, or with a table of wider counts.
CROWDED = 11  #: three quarters of the table are in use
OVERFLOW = 12  #: a count has no room, or a diagram

#: a level: what `exact_cover.state.Guess` does not hold
Level: Any = record(
    ("one", np.uint64),  # the key of the state
    ("two", np.uint64),
    ("entered", np.int64),  # nodes when the state was entered
    ("branching", np.int64),  # options of the item
    ("tried", np.int64),  # of them
)
#: the registers of a search with a table, beside those of `exact_cover`
State: Any = record(
    ("returning", np.uint64),  # 1 if it returns a count, else 0
    ("skipping", np.uint64),  # 1 if it looks for the cover behind those that it is to skip, else 0
)


class Memo(NamedTuple):
    """A search with a table, which can be continued."""

    links: Links  #: with a trail
    search: Search
    levels: Record  #: per level: a `Level`
    sums: Words  #: per level: the covers counted so far; all counts have as many words
    result: Words  #: the count that is returned to the level above
    skip: Words  #: how many covers to skip
    table: Table
    keys: Words  #: two random words per option
    by_size: bool  #: branch on the smallest item, not on the first
    diagram: Diagram  #: with room for no node if covers are counted
    state: Record  #: a `State`


@inlined
def key_of(memo: Memo, level: Int, length: Int, trail: Int) -> tuple[Int, Int]:
    """Return the key of this state, given that of the latest branch.

    Since then, options were chosen up to place `length`, and hidden up to place `trail`.
    """
    at, guess = memo.levels[level], memo.search.guesses[level]
    option, keys = memo.links.nodes.option, memo.keys
    one, two = Unsigned(at.one), Unsigned(at.two)
    for k in range(guess.length, length):
        place = TWO * option[memo.search.chosen[k]]
        one ^= keys[place]
        two ^= keys[place + ONE]
    for k in range(Unsigned(guess.trail), trail):
        place = TWO * option[memo.links.trail[k] & ~OWN_ITEM]
        one ^= keys[place]
        two ^= keys[place + ONE]
    return one, two


@inlined
def is_known(memo: Memo, one: Int, two: Int, skipping: bool) -> bool:
    """Let the result be the count of this state, if that is known; return whether it is.

    If covers are skipped, those of this state are, unless the one that is looked for is among them.
    """
    words = memo.table.words
    at = find(memo.table, one, two)
    if at == NOWHERE or (skipping and not subtract(memo.skip, words, at + HEAD)):
        return False
    copy(words, at + HEAD, memo.result, ZERO, Unsigned(memo.result.size))
    return True


@compiled
def enter_level(memo: Memo, level: Int, item: Int, one: Int, two: Int, visited: Int) -> None:
    """Branch on an item: its options are still to be tried, and nothing is counted yet."""
    at, size = memo.levels[level], Unsigned(memo.result.size)
    at.one, at.two, at.entered, at.tried = one, two, visited, 0
    at.branching = size_of(memo.links, item)
    for k in range(size):
        memo.sums[Unsigned(level) * size + k] = ZERO
    guess = memo.search.guesses[level]
    word = first_word_left(memo.links, item)
    guess.word, guess.rest = word, memo.links.mask[word] & OPTION_BITS


@compiled
def next_node(memo: Memo, level: Int) -> Int:
    """Return the node of the next option of a level, which must exist, and count it as tried."""
    mask, nodes, guess = memo.links.mask, memo.links.nodes, memo.search.guesses[level]
    word, rest = Unsigned(guess.word), Unsigned(guess.rest)
    bit = lowest_bit(rest)
    node = nodes.first_node[word] + bit
    rest ^= ONE << bit
    if nodes.sizes:
        last = nodes.first_word[nodes.item[word] + ONE] - ONE
        while rest == ZERO and word != last:
            word += ONE
            rest = mask[word] & OPTION_BITS
    guess.word, guess.rest = word, rest
    memo.levels[level].tried += 1
    return node


@compiled
def collect(memo: Memo, level: Int, length: Int) -> bool:
    """Add the result to the sum of a level; return False, and change nothing, if it has no room.

    In a diagram the sum is a node, and the result is found after the options that were chosen since
    the state of the level: each of them becomes a node, the last one first.
    """
    diagram, sums = memo.diagram, memo.sums
    if diagram.option.size == 0:
        return add(sums, Unsigned(level) * Unsigned(memo.result.size), memo.result)
    found, first = memo.result[0], Unsigned(memo.search.guesses[level].length)
    if found == ZERO:
        return True
    at = Unsigned(length)
    if diagram.state.nodes + (at - first) > Unsigned(diagram.option.size):
        return False
    while at != first:
        at -= ONE
        option = memo.links.nodes.option[memo.search.chosen[at]]
        found = add_node(diagram, option, sums[level] if at == first else ZERO, found)
    sums[level] = found
    return True


@compiled
def store_level(memo: Memo, level: Int, visited: Int) -> None:
    """Store the count of the state of a level, and return it."""
    at, size = memo.levels[level], Unsigned(memo.result.size)
    begin = Unsigned(level) * size
    work = Unsigned(visited - at.entered) + ONE
    store(memo.table, Unsigned(at.one), Unsigned(at.two), work, memo.sums, begin)
    copy(memo.sums, begin, memo.result, ZERO, size)


@compiled
def run(memo: Memo, asked: Terms, pause: Int, deadline: Int) -> Int:  # noqa: PLR0912, PLR0915 # the steps of the algorithm, in one place
    """Continue the search, and return why it stopped.

    That is EXHAUSTED, if the count is in `memo.result`; LIMITED, if it looked for a cover and keeps
    it; else PAUSED, TIMED_OUT, CROWDED or OVERFLOW. After the first two, every table of
    `memo.links` is as it was at the start, and a call begins a new search.
    """
    links, search = memo.links, memo.search
    state, guesses, chosen, nodes = search.state, search.guesses, search.chosen, links.nodes
    if state.started == 0:
        enter_root(links, search)
        memo.state.returning = ZERO
        set_small(memo.sums, ZERO)
    level, length, dead = state.level, state.length, state.dead != 0
    counts = Counts(state.forced, state.single, state.pairs, state.trail, state.open)
    # In a diagram, every option of a cover is chosen.
    sees_singles = links.right.size == nodes.primary + 1 and memo.diagram.option.size == 0
    visited = next_check = entered = state.nodes
    status, returning = GOING_ON, memo.state.returning != ZERO
    skipping = memo.state.skipping != ZERO
    while True:
        if visited >= next_check and status == GOING_ON:
            state.nodes = visited
            status = look_at_clock(search, entered, pause, deadline)
            next_check = visited + state.clock_interval
        if returning and status == GOING_ON:
            if not collect(memo, level, length):
                status = OVERFLOW
            elif level == 0:
                copy(memo.sums, ZERO, memo.result, ZERO, Unsigned(memo.result.size))
                status = stops.EXHAUSTED
        if status == stops.EXHAUSTED or status == stops.LIMITED:  # noqa: PLR1714 # `in` compiles a loop
            length, level = go_back(links, search, 0, length, counts.trail), 0
            state.started = 0
        if status != GOING_ON:
            state.level, state.length, state.nodes, state.dead = level, length, visited, dead
            state.forced, state.single, state.pairs = counts.forced, counts.single, counts.pairs
            state.trail, state.open = counts.trail, counts.open
            memo.state.returning = Unsigned(returning)
            return status
        if returning:  # M6. Leave the option of this level.
            length = go_back(links, search, level, length, counts.trail)
            guess = guesses[level]
            dead = False
            counts = Counts(ZERO, ZERO, guess.pairs, guess.trail, guess.open)
            if guess.rest == 0:  # M7. It was the last: the sum is the count of the state.
                store_level(memo, level, visited)
                level -= 1
                if is_crowded(memo.table):
                    status = CROWDED
                continue
            returning = False
            node = next_node(memo, level)
        elif dead:  # M2. Some item has no option left.
            set_small(memo.result, ZERO)
            returning = True
            continue
        elif counts.open == (counts.single if sees_singles else ZERO):  # M2. A cover.
            set_small(memo.result, ONE)
            returning = not skipping or subtract(memo.skip, memo.result, ZERO)
            if state.kept == 0 and returning != skipping:
                record_solution(links, search, asked, length, 0)
            if not returning:
                status = stops.LIMITED
            continue
        elif counts.forced != ZERO:  # M3. Choose the only option of an item.
            forced = counts.forced - ONE
            counts = Counts(forced, counts.single, counts.pairs, counts.trail, counts.open)
            item = links.forced[forced]
            if not is_open(links, item):
                continue
            word = first_word_left(links, item)
            node = nodes.first_node[word] + lowest_bit(links.mask[word] & OPTION_BITS)
        else:  # M4. Look the state up.
            one, two = key_of(memo, level, length, counts.trail)
            returning = is_known(memo, one, two, skipping)
            if returning:
                continue
            item = smallest(links) if memo.by_size else links.right[0]  # M5. Branch.
            level += 1
            save(links, search, level, length, 0, counts)
            enter_level(memo, level, item, one, two, visited)
            node = next_node(memo, level)
        chosen[length] = node
        length += 1
        visited += 1
        counts, dead = choose(links, node, counts)


@entry(exact_cover.__file__, __file__)
def memo_slice(
    memo: Memo, search: Search, asked: Terms, slice_ns: Int, timeout_ns: Int
) -> tuple[Int, Int]:
    """Continue `memo.search` for `slice_ns` nanoseconds.

    Return why it stopped, and the wall time that it took. It ends after `timeout_ns`.
    """
    began = now(search.clock)
    status = run(memo, asked, began + slice_ns, began + timeout_ns)
    return status, now(search.clock) - began

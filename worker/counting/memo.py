"""Algorithm X with a table of the states that it has counted.

It differs from `exact_cover.search` in three things. It branches by a rule that depends on the
state alone, because equal states are otherwise not met again. It looks each state up before it
branches, and stores its count when it leaves it. And what it returns from a level is a count, the
sum over the options of an item.
"""

from typing import Any, NamedTuple

import numpy as np

from worker.compiling.jit import (
    ONE,
    TWO,
    ZERO,
    Int,
    Record,
    Unsigned,
    compiled,
    inlined,
    lowest_bit,
)
from worker.counting.numbers import (
    Words,
    add,
    copy_words,
    set_small,
    subtract,
    to_int,
    widened,
)
from worker.counting.table import HEAD, NOWHERE, Table, find, is_crowded, store
from worker.exact_cover.branch import smallest
from worker.exact_cover.cover import Counts, choose, first_word_left, is_open, size_of
from worker.exact_cover.layout import OPTION_BITS, Links, links, max_depth
from worker.exact_cover.problem import Problem
from worker.exact_cover.search import GOING_ON, enter_root, go_back, look_at_clock, save
from worker.exact_cover.solutions import record_solution
from worker.exact_cover.state import EXHAUSTED, LIMITED, Search, Terms, new_search, terms

#: Why a search returned, besides the constants of `exact_cover.state`. It continues when it is
#: called again with a larger table, or with a table of wider counts.
CROWDED = 7  #: three quarters of the table are in use
OVERFLOW = 8  #: a count has no room

#: the terms of the search for one cover beside the count
ONE_COVER = terms(limit=None, keep=1, costly=False)

#: a level: what `exact_cover.state.Guess` does not hold
Level: Any = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("one", np.uint64),  # the key of the state
                ("two", np.uint64),
                ("entered", np.int64),  # nodes when the state was entered
                ("branching", np.int64),  # options of the item
                ("tried", np.int64),  # of them
            ],
            align=True,
        ),
    )
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
    registers: Words  #: see below


#: places in `Memo.registers`: 1 if the search returns a count, else 0; and 1 if it looks for the
#: cover behind those that it is to skip, else 0
RETURNING, SKIPPING = range(2)


def new_memo(problem: Problem, table: Table, keys: Words, *, by_size: bool) -> Memo:
    """Return a search that has not begun."""
    depth, words = max_depth(problem), table.count_words
    return Memo(
        links(problem, snapshots=False),  # keys are made from the trail
        new_search(depth, problem.members.size, 1),
        np.zeros(depth + 2, Level),
        np.zeros((depth + 2) * words, np.uint64),
        np.zeros(words, np.uint64),
        np.zeros(words, np.uint64),
        table,
        keys,
        by_size,
        np.zeros(2, np.uint64),
    )


def with_table(memo: Memo, table: Table) -> Memo:
    """Return the same search with another table, whose counts may have more words."""
    before, after = memo.table.count_words, table.count_words
    return memo._replace(
        table=table,
        sums=widened(memo.sums, before, after),
        result=widened(memo.result, before, after),
        skip=widened(memo.skip, before, after),
    )


def covers_counted(memo: Memo) -> int:
    """Return the covers that the search has counted so far; all if it has ended."""
    words, level = memo.table.count_words, int(memo.search.state.level)
    counts = [memo.sums.reshape(-1, words)[k] for k in range(1, level + 1)]
    if memo.registers[RETURNING]:
        counts.append(memo.result)
    return sum(map(to_int, counts))


@inlined
def key_of(memo: Memo, one: Int, two: Int, begin: Int, length: Int, trail: Int, to: Int) -> Any:
    """Return the key of this state, given the key of an earlier one.

    Since then, options were chosen from place `begin` to `length`, and hidden from place `trail`
    to `to` of the trail.
    """
    option, keys = memo.links.nodes.option, memo.keys
    for k in range(begin, length):
        at = TWO * option[memo.search.chosen[k]]
        one ^= keys[at]
        two ^= keys[at + ONE]
    for k in range(trail, to):
        at = TWO * option[memo.links.trail[k]]
        one ^= keys[at]
        two ^= keys[at + ONE]
    return one, two


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
def store_level(memo: Memo, level: Int, visited: Int) -> None:
    """Store the count of the state of a level, and return it."""
    at, size = memo.levels[level], Unsigned(memo.result.size)
    begin = Unsigned(level) * size
    work = Unsigned(visited - at.entered) + ONE
    store(memo.table, Unsigned(at.one), Unsigned(at.two), work, memo.sums, begin)
    copy_words(memo.sums, begin, memo.result, ZERO, size)


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
        memo.registers[RETURNING] = ZERO
    level, length, dead = state.level, state.length, state.dead != 0
    counts = Counts(state.forced, state.single, state.pairs, state.trail, state.open)
    all_primary = links.right.size == nodes.primary + 1
    visited = next_check = entered = state.nodes
    status, returning = GOING_ON, memo.registers[RETURNING] != ZERO
    size = Unsigned(memo.result.size)
    skipping = memo.registers[SKIPPING] != ZERO
    while True:
        if visited >= next_check and status == GOING_ON:
            state.nodes = visited
            status = look_at_clock(search, entered, pause, deadline)
            next_check = visited + state.clock_interval
        if returning and level == 0:
            status = EXHAUSTED
        if status == EXHAUSTED or status == LIMITED:  # noqa: PLR1714, SIM109 # `in` compiles a loop
            length, level = go_back(links, search, 0, length, counts.trail), 0
            state.started = 0
        elif (
            returning
            and status == GOING_ON
            and not add(memo.sums, Unsigned(level) * size, memo.result)
        ):
            status = OVERFLOW
        if status != GOING_ON:
            state.level, state.length, state.nodes, state.dead = level, length, visited, dead
            state.forced, state.single, state.pairs = counts.forced, counts.single, counts.pairs
            state.trail, state.open = counts.trail, counts.open
            memo.registers[RETURNING] = Unsigned(returning)
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
        elif counts.open == (counts.single if all_primary else ZERO):  # M2. A cover.
            set_small(memo.result, ONE)
            returning = not skipping or subtract(memo.skip, memo.result, ZERO)
            if state.kept == 0 and returning != skipping:
                record_solution(links, search, asked, length, 0)
            if not returning:
                status = LIMITED
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
            at, guess = memo.levels[level], guesses[level]
            one, two = key_of(
                memo,
                Unsigned(at.one),
                Unsigned(at.two),
                guess.length,
                length,
                Unsigned(guess.trail),
                counts.trail,
            )
            found = find(memo.table, one, two)
            if found != NOWHERE and (
                not skipping or subtract(memo.skip, memo.table.words, found + HEAD)
            ):
                copy_words(memo.table.words, found + HEAD, memo.result, ZERO, size)
                returning = True
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

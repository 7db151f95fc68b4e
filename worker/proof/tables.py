"""The memory of the compiled search, and the rules of `check`, applied to it and undone.

Where the checker has the options that are left as the bits of one integer, these tables count the
options that each item has left.
"""

import os
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import compiled, inlined
from worker.compiling.numbers import ONE, ZERO, Int, Record, Table, Unsigned, record
from worker.proof.check import Problem

Keys = NDArray[np.uint64]

_COUNT = np.uint64
#: the registers of a tree
Registers: Any = record(
    ("removed", _COUNT),  # sizes of the lists
    ("chosen", _COUNT),
    ("single", _COUNT),
    ("depth", _COUNT),  # branches that are open
    ("branches", _COUNT),  # branches written
    ("known", _COUNT),  # states in the hash table
    ("found", _COUNT),  # covers, without those of known states
    ("key", _COUNT),  # of the options that are left and not chosen
    ("dead", _COUNT),  # 1 if an item has no option left
    ("way", _COUNT),  # `branches.FEWEST`, IN_ORDER or COUNTING
)
#: an open branch, and what the registers were before its first option
Level: Any = record(
    ("branch", _COUNT),  # its item
    ("next", _COUNT),  # the place of its next option in `Tables.having`
    ("removed", _COUNT),
    ("chosen", _COUNT),
)


class Tables(NamedTuple):
    """A problem; item k has the options `having[first_option[k]:first_option[k + 1]]`."""

    primary: Unsigned  #: number of primary items, which come first
    first_item: Table  #: per option, and one more entry: where its items begin
    items: Table  #: the items of all options
    colour: Table  #: beside each: the number of its colour, 0 if it has none
    first_option: Table  #: per item, and one more entry: where its options begin
    having: Table  #: the options of all items
    colour_of: Table  #: beside each: the number of the colour that the option gives the item
    key: Keys  #: per option: a random number


class Tree(NamedTuple):
    """Where the search is."""

    left: Table  #: per option: 1 if it is left
    options_left: Table  #: per item: how many options it has left
    closed: Table  #: per item: 1 if it is covered
    removed: Table  #: the options that were removed, the last one last
    chosen: Table  #: the options that were chosen
    single: Table  #: items that have one option left, and are to be covered
    levels: Record  #: per open branch: a `Level`
    known: Keys  #: a hash table of states that were met before
    register: Any  #: the Registers


def tables(problem: Problem) -> Tables:
    """Return the tables of a problem, with costs of 0."""
    options, items = len(problem.options), len(problem.items)
    lengths = [len(some) for some in problem.options]
    number = {item: k for k, item in enumerate(problem.items)}
    named = map(number.__getitem__, chain.from_iterable(problem.options))
    members = np.fromiter(named, np.uint32, sum(lengths))
    option = np.repeat(np.arange(options, dtype=np.uint32), lengths)
    colour = np.fromiter(_colours(problem), np.uint32, members.size)
    by_item = np.argsort(members, kind="stable")
    return Tables(
        Unsigned(len(problem.primary)),
        np.cumsum([0, *lengths]).astype(np.uint32),
        members,
        colour,
        np.cumsum([0, *np.bincount(members, minlength=items)]).astype(np.uint32),
        option[by_item],
        colour[by_item],
        np.frombuffer(bytearray(os.urandom(8 * options)), np.uint64),
    )


def set_of(problem: Problem, options: int) -> Table:
    """Return a set of options, given as the bits of an integer, with a 1 for each of them."""
    number = len(problem.options)
    packed = np.frombuffer(options.to_bytes(-(-number // 8), "little"), np.uint8)
    return np.unpackbits(packed, count=number, bitorder="little").astype(np.uint32)


def new_tree(tables: Tables, states: int) -> Tree:
    """Return memory for a search that meets fewer than `states` / 2 states, a power of 2."""
    options, items = tables.key.size, tables.first_option.size - 1
    of_options, of_items = np.zeros((3, options), np.uint32), np.zeros((4, items), np.uint32)
    return Tree(
        of_options[0],
        of_items[0],
        of_items[1],
        of_options[1],
        of_options[2],
        of_items[2:].ravel(),  # an item gets there twice, before it is dead
        np.zeros(int(tables.primary) + 1, Level),
        np.zeros(states, np.uint64),
        np.zeros(1, Registers)[0],
    )


def _colours(problem: Problem) -> Iterator[int]:
    """Yield the number of the colour that each option gives each of its items, 0 for none."""
    numbers: dict[str, int] = {}
    for colours in problem.options:
        for colour in colours.values():
            yield 0 if colour is None else numbers.setdefault(colour, len(numbers) + 1)


@compiled
def begin(t: Tables, x: Tree, allowed: Table) -> None:
    """Apply the rules to the options that a problem allows."""
    r = x.register
    r.removed = r.chosen = r.single = r.depth = r.branches = ZERO
    r.known = r.found = r.key = r.dead = r.way = ZERO
    x.known[:] = ZERO
    for item in range(x.options_left.size):
        x.options_left[item] = x.closed[item] = ZERO
    for option in range(allowed.size):
        x.left[option] = allowed[option]
        if allowed[option] != ZERO:
            r.key ^= t.key[option]
            for k in range(t.first_item[option], t.first_item[option + 1]):
                x.options_left[t.items[k]] += ONE
    for item in range(t.primary):
        if x.options_left[item] == ZERO:
            r.dead = ONE
        elif x.options_left[item] == ONE:
            x.single[r.single] = item
            r.single += ONE
    propagate(t, x)


@inlined
def remove(t: Tables, x: Tree, option: Int) -> None:
    """Remove an option from the items that it has."""
    r = x.register
    x.left[option] = ZERO
    r.key ^= t.key[option]
    x.removed[r.removed] = option
    r.removed += ONE
    for k in range(t.first_item[option], t.first_item[option + ONE]):
        item = t.items[k]
        count = x.options_left[item] - ONE
        x.options_left[item] = count
        if count <= ONE and item < t.primary and x.closed[item] == ZERO:
            x.single[r.single] = item
            r.single += ONE
            if count == ZERO:
                r.dead = ONE


@compiled
def choose(t: Tables, x: Tree, option: Int) -> None:
    """Choose an option: its items are covered, and options that clash with it go."""
    r = x.register
    x.chosen[r.chosen] = option
    r.chosen += ONE
    r.key ^= t.key[option]
    for k in range(t.first_item[option], t.first_item[option + ONE]):
        x.closed[t.items[k]] = ONE
    for k in range(t.first_item[option], t.first_item[option + ONE]):
        item, colour = t.items[k], t.colour[k]
        if x.options_left[item] > ONE:
            for n in range(t.first_option[item], t.first_option[item + ONE]):
                other = Unsigned(t.having[n])
                clashes = colour == ZERO or t.colour_of[n] != colour
                if clashes and x.left[other] != ZERO and other != option:
                    remove(t, x, other)


@compiled
def propagate(t: Tables, x: Tree) -> None:
    """Cover items that have one option left."""
    r = x.register
    while r.dead == ZERO and r.single > ZERO:
        r.single -= ONE
        item = Unsigned(x.single[r.single])
        if x.closed[item] == ZERO:
            n = Unsigned(t.first_option[item])
            while x.left[t.having[n]] == ZERO:
                n += ONE
            choose(t, x, Unsigned(t.having[n]))
    r.single = ZERO


@compiled
def undo(t: Tables, x: Tree, removed: Int, chosen: Int) -> None:
    """Put back what was removed and chosen since the lists had these sizes."""
    r = x.register
    while r.chosen > chosen:
        r.chosen -= ONE
        option = Unsigned(x.chosen[r.chosen])
        r.key ^= t.key[option]
        for k in range(t.first_item[option], t.first_item[option + ONE]):
            x.closed[t.items[k]] = ZERO
    while r.removed > removed:
        r.removed -= ONE
        option = Unsigned(x.removed[r.removed])
        x.left[option] = ONE
        r.key ^= t.key[option]
        for k in range(t.first_item[option], t.first_item[option + ONE]):
            x.options_left[t.items[k]] += ONE
    r.dead = ZERO

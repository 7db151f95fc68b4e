"""A table of states: how many covers each has, for as many states as the memory allows.

A state is what is left of a search: the set of its options. It is identified by 128 bits, the
exclusive or of a random number for each option that is not left (Zobrist, 1970). The keys of two
states differ by the exclusive or of the numbers of the options that only one of them has. Each
table draws these numbers from the system, so whatever problem was written before, any two of its
states are taken for the same with a probability of 2^-128. The states that a search can meet depend
on the problem alone, so among n of them that happens at all with a probability below n²/2^129: less
than 2·10^-21 for a billion states. With numbers that are known it is no matter of chance: 129
options have subsets of equal keys, which linear algebra finds.

An entry is a row of words: two of the key, the nodes that its count took, which are 0 if the
entry is free, and the count, its lowest 64 bits first.
"""

import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from worker.compiling.entry import entry
from worker.compiling.jit import compiled, copy, inlined
from worker.compiling.numbers import ONE, TWO, ZERO, Int, Record, Unsigned, record
from worker.counting.numbers import Words

#: words of an entry before the count
HEAD: Any = Unsigned(3)
#: the word of an entry that says how many nodes its count took
WORK: Any = Unsigned(2)
#: entries at which a state may be, one after the other
REACH: Any = Unsigned(8)
#: entries of a new table, and of the smallest one
FIRST_ENTRIES, LEAST_ENTRIES = 1 << 12, 1 << 6
#: bytes of a word
WORD_BYTES = 8
#: while a table is replaced there is the old one, too: together they take at most 1.8 times as much
WITH_OLD = 1.8
#: a table may take this share of the machine's memory, divided by its cores, by default
MEMORY_SHARE = 0.25
#: the memory limit of a container, in bytes
CONTAINER_LIMIT = Path("/sys/fs/cgroup/memory.max")
#: no entry is this one
NOWHERE: Any = Unsigned(0xFFFFFFFFFFFFFFFF)

#: the registers of a table
State: Any = record(
    ("used", np.uint64),  # entries in use
    ("entries", np.uint64),  # in use or free
    ("max_entries", np.uint64),  # that the table may be enlarged to
    ("count_words", np.uint64),  # words of a count
)


class Table(NamedTuple):
    """A table of 2^k entries, and 8 more at its end."""

    words: Words  #: all entries
    state: Record  #: a `State`


@cache
def default_memory() -> int:
    """Return the bytes that a table of states may take by default."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):  # there is no such limit, or it is "max"
        total = min(total, int(CONTAINER_LIMIT.read_text()))
    return int(total * MEMORY_SHARE / (os.cpu_count() or 1))


def new_table(memory: int, entries: int = FIRST_ENTRIES, count_words: int = 1) -> Table:
    """Return an empty table that may take `memory` bytes.

    It has `entries` entries, a power of two, or less if the memory has room for less.
    """
    entry_bytes = WORD_BYTES * (int(HEAD) + count_words)
    room = max(int(memory / WITH_OLD / entry_bytes), 1)
    max_entries = max(1 << room.bit_length() - 1, LEAST_ENTRIES)
    entries = min(entries, max_entries)
    words = np.zeros((entries + int(REACH)) * entry_bytes // WORD_BYTES, np.uint64)
    state = np.zeros(1, State)[0]
    state.entries, state.max_entries, state.count_words = entries, max_entries, count_words
    return Table(words, state)


def random_keys(options: int) -> Words:
    """Return 128 bits per option from the system's source of randomness."""
    return np.frombuffer(bytearray(os.urandom(2 * WORD_BYTES * options)), np.uint64)


@inlined
def width(table: Table) -> Int:
    """Return the words of an entry."""
    return HEAD + table.state.count_words


@inlined
def place(table: Table, one: Int) -> Int:
    """Return the first entry at which the state with this key may be; all bits are random."""
    return one & (table.state.entries - ONE)


@inlined
def find(table: Table, one: Int, two: Int) -> Int:
    """Return where in `words` the entry of a state begins, or NOWHERE."""
    words, size = table.words, width(table)
    at = place(table, one) * size
    end = at + REACH * size
    while at != end and words[at + WORK] != ZERO:
        if words[at] == one and words[at + ONE] == two:
            return at
        at += size
    return NOWHERE


@compiled
def entry_for(table: Table, one: Int, two: Int) -> Int:
    """Return where the entry of a state is to be written: a free one, or the least worth keeping.

    An entry is worth the nodes that its count took.
    """
    words, size = table.words, width(table)
    at = place(table, one) * size
    end = at + REACH * size
    best = at
    while at != end:
        if words[at + WORK] == ZERO or (words[at] == one and words[at + ONE] == two):
            return at
        if words[at + WORK] < words[best + WORK]:
            best = at
        at += size
    return best


@compiled
def store(table: Table, one: Int, two: Int, work: Int, count: Words, begin: Int) -> None:
    """Store the count of a state, which begins at `count[begin]`."""
    words = table.words
    at = entry_for(table, one, two)
    if words[at + WORK] == ZERO:
        table.state.used += ONE
    words[at], words[at + ONE], words[at + WORK] = one, two, work
    copy(count, begin, words, at + HEAD, table.state.count_words)


@inlined
def is_crowded(table: Table) -> bool:
    """Return whether three quarters of the table are in use, and it may be enlarged."""
    state = table.state
    return bool(
        state.used > state.entries - (state.entries >> TWO) and state.entries < state.max_entries
    )


@entry(__file__)
def copy_table(source: Table, target: Table) -> None:
    """Store the entries of a table in an empty one, whose counts have at least as many words."""
    words, size = source.words, width(source)
    at = ZERO
    while at != Unsigned(words.size):
        if words[at + WORK] != ZERO:
            to = entry_for(target, words[at], words[at + ONE])
            if target.words[to + WORK] < words[at + WORK]:
                target.state.used += Unsigned(target.words[to + WORK] == ZERO)
                copy(words, at, target.words, to, size)
        at += size

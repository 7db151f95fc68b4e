"""What the tables of all steps are computed from, in arrays."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.set_cover.elimination.order import Item, Step

#: more than any cover costs
NO_COVER = 1 << 30
#: entries that are held at a time, at most: 256 MB
MOST_HELD = 1 << 26


class Plan(NamedTuple):
    """The steps, each with a table: per set of options of its scope, as bits, the least cost.

    That is the cost of the option and of those that were eliminated before it and depend on it.
    """

    cost: Integers  #: per step: what its option costs, if it is chosen
    profit: Integers  #: per step: what it costs not to choose it
    width: Integers  #: per step: the options of its scope
    begin: Integers  #: per step: where its table begins in `values`, while it is needed
    choice_begin: Integers  #: per step: where its choices begin in `choices`
    item_begin: Integers  #: per step: where its items begin in `item`; one more at the end
    item: Integers  #: per item, at the first step of its options: the others of them, as bits
    least: Integers  #: per item: how many of its options must be chosen
    most: Integers  #: per item: how many may be
    source_begin: Integers  #: per step: where its sources begin; one more at the end
    source: Integers  #: per source, an earlier step whose table it uses: the entry for no option
    own: Integers  #: per source: how much further the entry is if the step's own option is chosen
    move_begin: Integers  #: per source: where its moves begin in `move`
    move: Integers  #: per bit of the scope: how much further the entry is for the next set, which
    #: has this bit and none of the lower ones, while this one has all of these
    values: NDArray[np.uint32]  #: the tables that are needed
    choices: NDArray[np.uint8]  #: of all tables, a bit for each entry: whether its option is chosen
    at: Integers  #: the step, and the set in its table, that are next
    entry: Integers  #: per source: the entry for that set


def plan_of(steps: Sequence[Step], items: Sequence[Item], cost: Sequence[int]) -> Plan | None:
    """Return the plan of some steps, or None if it needs too much memory at a time.

    `cost` is per option, and less than NO_COVER in all, whatever its signs.
    """
    place = {step.option: k for k, step in enumerate(steps)}
    bits = [{option: bit for bit, option in enumerate(step.scope)} for step in steps]
    own, sources = defaultdict[int, list[Item]](list), defaultdict[int, list[int]](list)
    for item in items:
        own[min(place[option] for option in item.options)].append(item)
    for k, step in enumerate(steps):
        if step.scope:
            sources[min(place[option] for option in step.scope)].append(k)
    numbers, widths = range(len(steps)), [len(step.scope) for step in steps]
    begin, held = _allocate(widths, sources)
    if held > MOST_HELD:
        return None
    used = [(k, source) for k in numbers for source in sources[k]]
    ended = [(k, item) for k in numbers for item in own[k]]
    costs = np.array([cost[step.option] for step in steps], np.int64)
    source_at = np.array([begin[source] for _, source in used], np.int64)
    return Plan(
        cost=np.maximum(costs, 0),
        profit=np.maximum(-costs, 0),
        width=np.array(widths, np.int64),
        begin=np.array(begin, np.int64),
        choice_begin=_begins([1 << width for width in widths]),
        item_begin=_begins([len(own[k]) for k in numbers]),
        item=np.array(
            [
                sum(1 << bits[k][option] for option in item.options if option != steps[k].option)
                for k, item in ended
            ],
            np.int64,
        ),
        least=np.array([item.least for _, item in ended], np.int64),
        most=np.array([item.most for _, item in ended], np.int64),
        source_begin=_begins([len(sources[k]) for k in numbers]),
        source=source_at,
        own=np.array([1 << bits[source][steps[k].option] for k, source in used], np.int64),
        move_begin=_begins([widths[k] for k, _ in used]),
        move=np.array(
            [one for k, source in used for one in _moves(steps[k].scope, bits[source])], np.int64
        ),
        values=np.zeros(held, np.uint32),
        choices=np.zeros(sum(1 << width for width in widths) // 8 + 1, np.uint8),
        at=np.zeros(2, np.int64),
        entry=source_at.copy(),
    )


def _begins(sizes: Iterable[int]) -> Integers:
    return np.array([0, *accumulate(sizes)], np.int64)


def _allocate(widths: Sequence[int], sources: Mapping[int, Sequence[int]]) -> tuple[list[int], int]:
    """Return where the table of each step begins, and the entries that all of them take.

    A table takes the place of one of its size that is not needed any more, if there is one.
    """
    free, begin, end = defaultdict[int, list[int]](list), list[int](), 0
    for k, width in enumerate(widths):
        if free[width]:
            begin.append(free[width].pop())
        else:
            begin.append(end)
            end += 1 << width
        for source in sources.get(k, ()):
            free[widths[source]].append(begin[source])
    return begin, end


def _moves(scope: Sequence[int], bits: Mapping[int, int]) -> Iterator[int]:
    """Yield the moves in a table whose options have these `bits`, for the sets of a scope."""
    lower = 0
    for option in scope:
        value = 1 << bits[option] if option in bits else 0
        yield value - lower
        lower += value

"""What the tables of all steps are computed from, in arrays."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.numbers import Integers
from worker.set_cover.elimination.order import Step

#: more than any cover costs: none is left
NO_COVER = 1 << 30


class Plan(NamedTuple):
    """The steps, each with a table: per set of options of its scope, as bits, the least cost.

    That is the cost of the option and of those that were eliminated before it and depend on it.
    """

    cost: Integers  #: per step: what its option costs
    begin: Integers  #: per step: where its table begins in `values`; one more at the end
    item_begin: Integers  #: per step: where its items begin in `item`; one more at the end
    item: Integers  #: per item, at the first step of its options: the others of them, as bits
    source_begin: Integers  #: per step: where its sources begin; one more at the end
    source: Integers  #: per source, an earlier step whose table it uses: where that begins
    bit_begin: Integers  #: per source: where its bits begin in `bit`; one more at the end
    bit: Integers  #: per option of its scope: the bit in that of this step; -1 for the step's own
    values: NDArray[np.uint32]  #: all tables
    at: Integers  #: the step, and the set in its table, that are next


def plan_of(steps: Sequence[Step], items: Sequence[Sequence[int]], cost: Mapping[int, int]) -> Plan:
    """Return the plan of some steps; `cost` is per option, and less than NO_COVER in all."""
    place = {step.option: k for k, step in enumerate(steps)}
    bits = [{option: bit for bit, option in enumerate(step.scope)} for step in steps]
    own, sources = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for options in items:
        first = min(options, key=place.__getitem__)
        at = place[first]
        own[at].append(sum(1 << bits[at][option] for option in options if option != first))
    for k, step in enumerate(steps):
        if step.scope:
            sources[min(place[option] for option in step.scope)].append(k)
    numbers = range(len(steps))
    begin = _begins([1 << len(step.scope) for step in steps])
    used = [source for k in numbers for source in sources[k]]
    users = [k for k in numbers for _ in sources[k]]
    return Plan(
        cost=np.array([cost[step.option] for step in steps], np.int64),
        begin=begin,
        item_begin=_begins([len(own[k]) for k in numbers]),
        item=np.array([one for k in numbers for one in own[k]], np.int64),
        source_begin=_begins([len(sources[k]) for k in numbers]),
        source=begin[np.array(used, np.int64)],
        bit_begin=_begins([len(steps[source].scope) for source in used]),
        bit=np.array(
            [
                bits[user].get(option, -1)
                for user, source in zip(users, used, strict=True)
                for option in steps[source].scope
            ],
            np.int64,
        ),
        values=np.zeros(int(begin[-1]), np.uint32),
        at=np.zeros(2, np.int64),
    )


def _begins(sizes: Sequence[int]) -> Integers:
    return np.array([0, *accumulate(sizes)], np.int64)

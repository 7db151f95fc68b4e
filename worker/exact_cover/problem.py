"""An exact cover problem with numbered items: its options and their costs."""

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

#: the largest number of items, and of nodes, of a problem: the kernel keeps the number of a
#: 32-bit word, times 32, plus the number of one of its bits in 32 bits
MAX_ITEMS = 2**27


Numbers = TypeVar("Numbers", NDArray[np.uint32], NDArray[np.int64])
#: multipliers are counted in fractions of a unit of cost, unless sums might then exceed 64 bits
FRACTION, MAX_SCALED_COST = 1024, 2**52
#: the colours of a problem in which no item has one
NO_COLOURS: NDArray[np.uint32] = np.zeros(0, np.uint32)


class Problem(NamedTuple):
    """An exact cover problem.

    A solution (a cover) is a set of options in which each primary item, 1 to `primary`, occurs
    exactly once, and each secondary item, `primary + 1` to `items`, at most once; or more than once
    in options that all give it the same colour.
    """

    items: int
    primary: int
    members: NDArray[np.uint32]  #: the items of all options, one option after the other
    first: NDArray[np.uint32]  #: option k has the items `members[first[k]:first[k + 1]]`
    cost: NDArray[np.int64]  #: per option; a negative one is a profit
    colour: NDArray[np.uint32] = NO_COLOURS  #: per entry of `members`: the number of its colour, 0
    #: if it has none; empty if no item has one
    factor: int = 1  #: a cover scores `offset` less this many times what its options cost
    offset: int = 0

    def score(self, cost: int) -> int:
        """Return what a cover scores whose options cost this together."""
        return self.offset - self.factor * cost

    @property
    def max_depth(self) -> int:
        """The largest number of options that a cover can have."""
        return min(self.primary, self.cost.size)

    @property
    def lengths(self) -> NDArray[np.uint32]:
        """Per option: how many items it has."""
        return self.first[1:] - self.first[:-1]  # in a sixth of the time of `np.diff`

    @property
    def option_of_member(self) -> NDArray[np.int64]:
        """Per entry of `members`: its option."""
        return np.repeat(np.arange(self.cost.size), self.lengths)

    @property
    def is_useful(self) -> NDArray[np.bool_]:
        """Per option: whether it has a primary item; no search chooses others."""
        primary = np.concatenate([[0], np.cumsum(self.members <= self.primary)])
        return np.diff(primary[self.first]) > 0

    @property
    def unit(self) -> int:
        """The number of parts in which multipliers count a unit of cost.

        It is 1 where sums might exceed 64 bits otherwise.
        """
        most = self.primary * int(self.cost.max(initial=0))
        return FRACTION if most < MAX_SCALED_COST else 1

    @property
    def without_costs(self) -> "Problem":
        """The same problem, in which no option costs anything."""
        return self._replace(cost=np.zeros_like(self.cost))

    @property
    def without_profits(self) -> "Problem":
        """The same exact covers with the same scores, in which no option has a negative cost.

        Each primary item adds the same to the costs of its options, once to those of every cover.
        """
        if self.cost.min(initial=0) >= 0:
            return self
        of_option = self.option_of_member[self.members <= self.primary]
        items = np.bincount(of_option, minlength=self.cost.size)
        share = int((-self.cost[items > 0] // items[items > 0]).max(initial=0)) + 1
        cost = np.where(items > 0, self.cost + share * items, 0)
        return self._replace(cost=cost, offset=self.offset + self.factor * share * self.primary)

    @property
    def distinct_options(self) -> NDArray[np.int64]:
        """The options, ascending, without those whose items and colours a cheaper one has as well.

        Of some that cost the same, one remains.
        """
        colour = self.colour if self.colour.size else np.zeros_like(self.members)
        entry = (self.members.astype(np.int64) << 32) + colour
        entry = entry[np.lexsort((entry, self.option_of_member))]
        data, ends = entry.tobytes(), (self.first.astype(np.int64) * entry.itemsize).tolist()
        cheapest = {
            data[ends[option] : ends[option + 1]]: option
            for option in np.argsort(-self.cost, kind="stable").tolist()
        }
        return np.sort(np.fromiter(cheapest.values(), np.int64))

    def only(self, options: NDArray[np.int64]) -> "Problem":
        """The same problem with these options only, which are ascending."""
        is_kept = np.isin(self.option_of_member, options)
        sizes = self.lengths[options]
        return self._replace(
            members=self.members[is_kept],
            first=np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]).astype(np.uint32),
            cost=self.cost[options],
            colour=self.colour[is_kept] if self.colour.size else self.colour,
        )


def number(
    primary: int,
    secondary: int,
    options: Sequence[Sequence[int]],
    cost: Sequence[int] | None = None,
    colours: Sequence[Sequence[tuple[int, str]]] | None = None,
) -> Problem:
    """Return the problem with these options, each a list of item numbers; costs default to 0.

    `colours` has for each option its secondary items that have a colour, and these.

    Raise ValueError if an option names an item twice or one that does not exist, or if the
    problem is too large.

    >>> number(2, 1, [[1, 3], [2], [2, 3]]).first
    array([0, 2, 3, 5], dtype=uint32)
    """
    items = primary + secondary
    members, first = flat(options)
    if (k := first_outside(members, first, items)) is not None:
        raise ValueError(f"option {k + 1} names an item that does not exist")
    if items >= 2**32:
        raise ValueError(f"there are more than {2**32 - 1:,} items")
    if members.size > MAX_ITEMS:
        raise ValueError(f"the options together have more than {MAX_ITEMS:,} items")
    if (k := first_repeating(members, first)) is not None:
        raise ValueError(f"option {k + 1} names an item twice")
    return Problem(
        items,
        primary,
        members.astype(np.uint32),
        first.astype(np.uint32),
        np.array(cost if cost is not None else [0] * len(options), np.int64),
        NO_COLOURS if colours is None else _colours(options, colours),
    )


def flat(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of lists, one list after the other, and where each begins, and the end.

    A number that does not fit into 64 bits becomes -1.

    >>> [numbers.tolist() for numbers in flat([[5, 6], [], [7, 10**30]])]
    [[5, 6, 7, -1], [0, 2, 2, 4]]
    """
    first = np.cumsum([0, *map(len, lists)])
    try:
        return np.fromiter(chain.from_iterable(lists), np.int64, first[-1]), first
    except OverflowError:
        fitting = (n if abs(n) < 2**63 else -1 for n in chain.from_iterable(lists))
        return np.fromiter(fitting, np.int64, first[-1]), first


def first_outside(members: NDArray[np.int64], first: NDArray[np.int64], items: int) -> int | None:
    """Return the first option that names an item outside 1 to `items`; None if none does.

    >>> first_outside(*flat([[1], [], [2, 3], [-1]]), 2)
    2
    """
    if members.min(initial=1) >= 1 and members.max(initial=0) <= items:
        return None
    outside = np.flatnonzero((members < 1) | (members > items))
    return int(np.searchsorted(first, outside[0], side="right")) - 1


def first_repeating(members: NDArray[np.int64], first: NDArray[np.int64]) -> int | None:
    """Return the first option that names an item twice; None if none does.

    >>> first_repeating(*flat([[5, 6], [7, 5, 7]]))
    1
    """
    option = np.repeat(np.arange(first.size - 1), np.diff(first))
    key = option * (members.max(initial=0) + 1) + members
    # As the options are in order, this takes linear time; the other kinds take 50 times as long.
    key.sort(kind="stable")
    twice = np.flatnonzero(key[1:] == key[:-1])
    return int(option[twice[0]]) if twice.size else None


def distinct(numbers: Numbers) -> Numbers:
    """Return the different numbers in ascending order.

    `np.unique` of NumPy 2.4 takes ten times as long for many different numbers, because it hashes.

    >>> distinct(np.array([7, 5, 7])).tolist()
    [5, 7]
    """
    ordered = np.sort(numbers)
    return np.delete(ordered, 1 + np.flatnonzero(ordered[1:] == ordered[:-1]))


def _colours(
    options: Sequence[Sequence[int]], colours: Sequence[Sequence[tuple[int, str]]]
) -> NDArray[np.uint32]:
    """Return the number of the colour of each item of each option, 0 if it has none.

    >>> _colours([[1, 3], [3, 2]], [[(3, "red")], [(3, "blue")]]).tolist()
    [0, 1, 2, 0]
    """
    names = [name for pairs in colours for _, name in pairs]
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names), start=1)}
    members, first = flat(options)
    coloured, first_coloured = flat([[item for item, _ in pairs] for pairs in colours])
    span, found = members.max(initial=0) + 1, np.zeros(members.size, np.uint32)
    keys, wanted = (
        np.repeat(np.arange(ends.size - 1), np.diff(ends)) * span + items
        for items, ends in ((members, first), (coloured, first_coloured))
    )
    order = np.argsort(keys, kind="stable")
    found[order[np.searchsorted(keys, wanted, sorter=order)]] = [numbers[name] for name in names]
    return found if numbers else NO_COLOURS

"""The pieces of a problem that share no item, and a good order of the items of each.

A search that always covers the first open item meets few different states if items that occur in
the same options are close to each other: then only items near the first open one can be covered
already. Such an order is found as one finds a narrow band of a sparse matrix: breadth-first from an
item at the edge, items with few neighbours first (Cuthill and McKee, 1969; from the other end,
George, 1971).
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from worker.compiling.entry import entry
from worker.compiling.jit import compiled
from worker.compiling.numbers import Int, Integers
from worker.exact_cover.problem import Problem

#: walks from ever farther items, at most, to find one at the edge of a piece
MAX_WALKS = 8
#: bits of a sort key for the place of an item
PLACE_BITS = 32
PLACES = (1 << PLACE_BITS) - 1


class Piece(NamedTuple):
    """A piece of a problem, with items of its own numbers."""

    problem: Problem  #: its primary items are numbered in a good order
    options: Integers  #: per option: its number in the whole problem, from 0


class Lists(NamedTuple):
    """Lists of numbers, one after the other: list k is `numbers[first[k]:first[k + 1]]`."""

    numbers: Integers
    first: Integers

    def of(self, which: Integers) -> tuple[Integers, Integers]:
        """Return the numbers in these lists, and for each the place of its list in `which`."""
        lengths = self.first[which + 1] - self.first[which]
        place = np.repeat(np.arange(which.size), lengths)
        begins = self.first[which] - (np.cumsum(lengths) - lengths)
        return self.numbers[begins[place] + np.arange(place.size)], place


def whole(problem: Problem) -> Piece:
    """Return a problem as one piece, in its own order."""
    return Piece(problem, np.arange(problem.cost.size))


def pieces(problem: Problem) -> Iterator[Piece]:
    """Yield the pieces of a problem, those with the fewest options first.

    The covers of the problem are the combinations of a cover of each piece. Options without a
    primary item occur in no cover, and are left out. What is done before the first piece takes
    time in proportion to the members of the problem, and each piece in proportion to its own.
    """
    members, option = problem.members.astype(np.int64), problem.option_of_member
    colour = np.zeros_like(members)
    colour[: problem.colour.size] = problem.colour
    useful = problem.is_useful
    members, colour, option = (column[useful[option]] for column in (members, colour, option))
    items = Lists(members, np.searchsorted(option, np.arange(useful.size + 1)))
    order, ends = _orders(items, problem.items)
    begins = np.concatenate([[0], ends[:-1]])
    # Of each item: its piece, and its number in the order of that piece, from 1.
    piece, number = np.zeros(problem.items + 1, np.int64), np.zeros(problem.items + 1, np.int64)
    piece[order] = np.repeat(np.arange(ends.size), ends - begins)
    number[order] = np.arange(1, order.size + 1) - begins[piece[order]]
    used = np.flatnonzero(useful)
    of_option = piece[members[items.first[used]]]
    used, of_option = used[np.argsort(of_option, kind="stable")], np.sort(of_option)
    bounds = np.searchsorted(of_option, np.arange(ends.size + 1))
    required = np.bincount(piece[1 : problem.primary + 1], minlength=ends.size)
    rows = (items, Lists(colour, items.first), number, problem.primary)
    for k in np.argsort(np.diff(bounds), kind="stable").tolist():
        if required[k]:
            yield _piece(order[begins[k] : ends[k]], used[bounds[k] : bounds[k + 1]], *rows)


def _orders(items: Lists, count: int) -> tuple[Integers, Integers]:
    """Return the items of all pieces in the order of Cuthill and McKee, and where each piece ends.

    `items` are those of each option.
    """
    members = items.numbers
    degree = np.bincount(members, minlength=count + 1)
    by_item = np.argsort(members, kind="stable")
    option = np.repeat(np.arange(items.first.size - 1), np.diff(items.first))[by_item]
    options = Lists(option, np.concatenate([[0], np.cumsum(degree)]))
    starts = np.argsort(degree[1:], kind="stable") + 1
    order, ends = np.zeros(count, np.int64), np.zeros(count, np.int64)
    seen, keys = np.zeros((2, max(degree.size, items.first.size)), np.int64), np.zeros_like(order)
    found = walk_all(items, options, degree, starts, order, ends, seen, keys)
    return order, ends[:found]


def _piece(
    order: Integers, used: Integers, items: Lists, colours: Lists, number: Integers, primary: int
) -> Piece:
    """Return the piece with these items and options, its items in the best of four orders."""
    of_options, place = items.of(used)
    members = number[of_options]
    is_primary = order <= primary
    by_walk, rest = number[order[is_primary]], number[order[~is_primary]]
    as_given = number[np.sort(order[is_primary])]
    candidates = [as_given, as_given[::-1], by_walk, by_walk[::-1]]
    best = min(candidates, key=lambda one: _width(one, members, place))
    renumbered = np.zeros(order.size + 1, np.int64)
    renumbered[np.concatenate([best, rest])] = np.arange(1, order.size + 1)
    made = Problem(
        items=order.size,
        primary=best.size,
        members=renumbered[members].astype(np.uint32),
        first=np.searchsorted(place, np.arange(used.size + 1)).astype(np.uint32),
        cost=np.zeros(used.size, np.int64),
        colour=colours.of(used)[0].astype(np.uint32),
    )
    return Piece(made, used)


def _width(order: Integers, members: Integers, place: Integers) -> float:
    """Return how many states an order may have: the logarithm of a rough upper bound.

    When the first k items are covered, those after them that share an option with one of them may
    be covered or not.
    """
    position = np.full(max(members.max(initial=0), order.max(initial=0)) + 1, -1)
    position[order] = np.arange(order.size)
    at, where = position[members], place
    at, where = at[at >= 0], where[at >= 0]
    lowest = np.full(place.max(initial=0) + 1, order.size)
    np.minimum.at(lowest, where, at)
    nearest = np.arange(order.size)
    np.minimum.at(nearest, at, lowest[where])
    opened = np.bincount(nearest, minlength=order.size)
    open_now = np.cumsum(opened) - np.arange(1, order.size + 1)
    return float(np.logaddexp2.reduce(open_now.astype(np.float64))) if order.size else 0.0


@compiled
def sort(keys: Integers, begin: Int, end: Int) -> None:
    """Sort numbers (Shell, 1959)."""
    gap = 1
    while gap < end - begin:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(begin + gap, end):
            key, at = keys[k], k
            while at >= begin + gap and keys[at - gap] > key:
                keys[at] = keys[at - gap]
                at -= gap
            keys[at] = key
        gap //= 3


@compiled
def walk(
    items: Lists,
    options: Lists,
    degree: Integers,
    order: Integers,
    begin: Int,
    seen: Any,
    keys: Integers,
    stamp: Int,
) -> tuple[Int, Int, Int]:
    """Walk breadth-first from the item `order[begin]`, and write the items to `order` behind it.

    Those met from the same item come in the order of their degrees. What is met gets a stamp.
    Return where they end, where the last layer begins, and how many layers there are.
    """
    seen[0, order[begin]] = stamp
    at, end, layer, layer_end, layers = begin, begin + 1, begin, begin + 1, 1
    while at < end:
        if at == layer_end:
            layer, layer_end, layers = at, end, layers + 1
        first = end
        for n in range(options.first[order[at]], options.first[order[at] + 1]):
            option = options.numbers[n]
            if seen[1, option] != stamp:
                seen[1, option] = stamp
                for k in range(items.first[option], items.first[option + 1]):
                    item = items.numbers[k]
                    if seen[0, item] != stamp:
                        seen[0, item] = stamp
                        order[end] = item
                        end += 1
        for k in range(first, end):
            keys[k] = degree[order[k]] << PLACE_BITS | (k - first)
        sort(keys, first, end)
        for k in range(first, end):
            keys[k] = order[first + (keys[k] & PLACES)]
        for k in range(first, end):
            order[k] = keys[k]
        at += 1
    return end, layer, layers


@entry(__file__)
def walk_all(
    items: Lists,
    options: Lists,
    degree: Integers,
    starts: Integers,
    order: Integers,
    ends: Integers,
    seen: Any,
    keys: Integers,
) -> int:
    """Write the items of each piece to `order`, where each ends to `ends`; return their number."""
    stamp, found, begin = 0, 0, 0
    for start in starts:
        if seen[0, start] != 0:
            continue
        order[begin] = start
        end, layers, walks = begin, 0, 0
        while walks < MAX_WALKS:
            stamp += 1
            walks += 1
            end, layer, deeper = walk(items, options, degree, order, begin, seen, keys, stamp)
            if deeper <= layers:
                break
            layers, least = deeper, layer
            if walks < MAX_WALKS:
                for k in range(layer, end):
                    if degree[order[k]] < degree[order[least]]:
                        least = k
                order[begin] = order[least]
        ends[found] = begin = end
        found += 1
    return found

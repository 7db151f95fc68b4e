"""The pieces of a problem that share no item, and a good order of the items of each.

A search that always covers the first open item meets few different states if items that occur in
the same options are close to each other: then only items near the first open one can be covered
already. Such an order is found as one finds a narrow band of a sparse matrix: breadth-first from an
item at the edge, items with few neighbours first (Cuthill and McKee, 1969; from the other end,
George, 1971).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from worker.compiling.jit import Integers
from worker.exact_cover.problem import Problem


class Piece(NamedTuple):
    """A piece of a problem, with items of its own numbers."""

    problem: Problem  #: its primary items are numbered in a good order
    options: Integers  #: per option: its number in the whole problem, from 0


class Rows(NamedTuple):
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
    primary item occur in no cover, and are left out.
    """
    members = problem.members.astype(np.int64)
    first = problem.first.astype(np.int64)
    option = np.repeat(np.arange(first.size - 1), np.diff(first))
    colour = np.zeros_like(members)
    colour[: problem.colour.size] = problem.colour
    useful = np.zeros(first.size - 1, np.bool_)
    useful[option[members <= problem.primary]] = True
    members, colour, option = (column[useful[option]] for column in (members, colour, option))
    items = Rows(members, np.searchsorted(option, np.arange(first.size)))
    colours = Rows(colour, items.first)
    by_item = np.argsort(members, kind="stable")
    ends = np.searchsorted(members[by_item], np.arange(problem.items + 2))
    options = Rows(option[by_item], ends)
    orders = _orders(items, options)
    parts = [_piece(problem.primary, order, items, options, colours) for order in orders]
    yield from sorted(
        (part for part in parts if part.problem.primary), key=lambda part: part.options.size
    )


def _orders(items: Rows, options: Rows) -> Iterator[Integers]:
    """Yield the items of each piece in the order of Cuthill and McKee."""
    degree = np.diff(options.first)
    seen = np.zeros(degree.size, np.bool_)
    seen[0] = True  # items count from 1
    for start in np.argsort(degree, kind="stable").tolist():
        if seen[start]:
            continue
        depth, order = 0, np.array([start])
        while True:
            layers = list(_layers(int(order[0]), seen, degree, items, options))
            if len(layers) <= depth:
                break
            depth, order = len(layers), np.concatenate(layers)
            last = layers[-1]
            order = np.concatenate([last[[np.argmin(degree[last])]], order])  # the next start
        seen[order] = True
        yield np.concatenate(layers)


def _layers(
    start: int, seen: NDArray[np.bool_], degree: Integers, items: Rows, options: Rows
) -> Iterator[Integers]:
    """Yield the items at distance 0, 1, ... from an item, those of low degree first."""
    seen, layer = seen.copy(), np.array([start])
    while layer.size:
        seen[layer] = True
        yield layer
        near, parent = options.of(layer)
        found, place = items.of(near)
        new = ~seen[found]
        found, parent = found[new], parent[place[new]]
        found = found[np.lexsort((degree[found], parent))]
        _, at = np.unique(found, return_index=True)
        layer = found[np.sort(at)]


def _piece(primary: int, order: Integers, items: Rows, options: Rows, colours: Rows) -> Piece:
    """Return the piece with these items, in the best of four orders."""
    used = np.unique(options.of(order)[0])
    required, rest = order[order <= primary], order[order > primary]
    members, place = items.of(used)
    candidates = [np.sort(required), np.sort(required)[::-1], required, required[::-1]]
    best = min(candidates, key=lambda one: _width(one, members, place))
    number = np.zeros(options.first.size, np.int64)
    number[np.concatenate([best, rest])] = np.arange(1, order.size + 1)
    made = Problem(
        items=order.size,
        primary=required.size,
        members=number[members].astype(np.uint32),
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

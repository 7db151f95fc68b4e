"""Parts of a search: pieces that do not overlap, miss nothing, and can be continued anywhere.

A search that stops in the middle is described by its *levels*, one for each option on the path from
the root to where it stopped: the item that was to be covered, how many options it had, and which of
them are still to be tried.  The first option of a level is on the path, and the next level tells
what is left below it; the other options of the level, and all of the last level, were not entered
yet.  A cover has exactly one option of each item, so two options of a level have no cover in
common: levels are divided by dividing their options.

The *share* of an option is the part of the search tree that is expected below it, if all options of
an item are alike: the product of 1 / branching over its level and those above (Knuth, *Estimating
the efficiency of backtrack programs*, 1975, whose estimate is the reciprocal of this product).
"""

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

#: an option that was not entered becomes a part of its own if its share is at least this fraction
#: of an even one: a lighter one is not worth a delivery
LEAST_FRACTION = 1 / 16


class Level(NamedTuple):
    """The options of one item that are still to be tried."""

    item: int
    branching: int  #: options that the item had when the search came to it; 1 if one was forced
    options: tuple[int, ...]  #: in the order in which they are tried; at least one
    bounds: tuple[int, ...] = ()  #: per option: no cover with it scores more; empty without scores


Levels = tuple[Level, ...]


class Part(NamedTuple):
    """A part of a search, as it is stored and sent."""

    levels: str  #: JSON: `[[item, branching, option, ...], ...]`; `[]` is the whole search
    share: float  #: of the search tree, by the estimate above
    bound: int | None = None  #: no cover in this part scores more; None without scores
    path: tuple[int, ...] = ()  #: options that all its covers have: of one that was split off


#: the part that is the whole search
WHOLE = Part("[]", 1.0)


class Frontier(NamedTuple):
    """What is left of a search that stopped."""

    levels: Levels
    limit: int | None = None  #: no cover of the whole search scores more; None without scores

    @property
    def share(self) -> float:
        """The share of what is left in the whole search."""
        return sum(share for _, _, share in self._untried()) if self.levels else 1.0

    @property
    def bound(self) -> int | None:
        """The highest bound of the options that are left; None without scores."""
        places = self._untried()
        known = [self.levels[at].bounds[k] for at, k, _ in places if self.levels[at].bounds]
        return max(known, default=self.limit)

    def split(self, pieces: int) -> tuple[Part, ...]:
        """Divide what is left into at most `pieces` parts.

        The first is what the search comes to next.  The others are single options, those with the
        largest shares.

        >>> left = Frontier((Level(1, 4, (3, 5, 7)), Level(2, 2, (8, 9))))
        >>> [part.levels for part in left.split(2)]
        ['[[1,4,3,7],[2,2,8,9]]', '[[1,4,5]]']
        """
        least = LEAST_FRACTION * self.share / max(pieces, 1)
        first = (len(self.levels) - 1, 0)  # it stays, or the first part would be empty
        heavy = [one for one in self._untried() if one[2] >= least and one[:2] != first]
        away = sorted(heavy, key=lambda place: -place[2])[: max(pieces, 1) - 1]
        return (self._without({place[:2] for place in away})._part(), *map(self._single, away))

    def _untried(self) -> Iterator[tuple[int, int, float]]:
        """Yield depth, place and share of each option that was not entered."""
        shares = accumulate((1 / level.branching for level in self.levels), lambda a, b: a * b)
        for depth, (level, share) in enumerate(zip(self.levels, shares, strict=True)):
            for k in range(depth < len(self.levels) - 1, len(level.options)):
                yield depth, k, share

    def _without(self, away: set[tuple[int, int]]) -> "Frontier":
        kept = (
            _select(level, [k for k in range(len(level.options)) if (depth, k) not in away])
            for depth, level in enumerate(self.levels)
        )
        return self._replace(levels=tuple(kept))

    def _single(self, place: tuple[int, int, float]) -> Part:
        depth, k, _ = place
        above = [_select(level, [0]) for level in self.levels[:depth]]
        single = self._replace(levels=(*above, _select(self.levels[depth], [k])))
        return single._part(tuple(level.options[0] for level in single.levels))

    def _part(self, path: tuple[int, ...] = ()) -> Part:
        return Part(encode(self.levels), self.share, self.bound, path)


def _select(level: Level, places: Sequence[int]) -> Level:
    chosen = tuple(level.options[k] for k in places)
    bounds = tuple(level.bounds[k] for k in places) if level.bounds else ()
    return level._replace(options=chosen, bounds=bounds)


def encode(levels: Levels) -> str:
    """Return levels as the text of a part; bounds are left out.

    >>> encode((Level(1, 4, (3, 5)),))
    '[[1,4,3,5]]'
    """
    rows = [[level.item, level.branching, *level.options] for level in levels]
    return json.dumps(rows, separators=(",", ":"))


def decode(text: str) -> Levels:
    """Return the levels that `encode` wrote, without bounds.

    Raise ValueError if the text is not such a list.

    >>> decode('[[1,4,3,5]]')
    (Level(item=1, branching=4, options=(3, 5), bounds=()),)
    """
    rows = json.loads(text)
    try:
        levels = tuple(Level(item, branching, tuple(some)) for item, branching, *some in rows)
        numbers = [n for level in levels for n in (level.item, level.branching, *level.options)]
    except TypeError as error:
        raise ValueError("a part is a list of lists of integers") from error
    if (
        not isinstance(rows, list)
        or not all(type(n) is int and n >= 0 for n in numbers)
        or not all(level.options and level.branching for level in levels)
    ):
        raise ValueError("a part is a list of levels: item, branching, at least one option")
    return levels

"""Colours of secondary items, replaced by further secondary items.

Options of a cover may share a secondary item if all of them give it the same colour (Knuth, TAOCP
7.2.2.1, "color-controlled covering"). The same covers are those of a problem without colours in
which two options that disagree share an item, and two that agree share none. For each coloured
item, take the plane over the field of p elements, and let the options of one colour be points of
one vertical line. Two points on different vertical lines have exactly one line y = a + b x in
common, two on the same vertical line none. So the p * p lines of this form become secondary items,
and an option has the p lines through its point.
"""

from collections.abc import Sequence

#: the largest number of nodes that replacing colours may add
MAX_ADDED_NODES = 10_000_000

#: per option: the items that have a colour in it, and their colours
Colours = Sequence[Sequence[tuple[int, str]]]


def without_colours(
    primary: int,
    secondary: int,
    options: Sequence[Sequence[int]],
    colours: Colours,
    max_added: int = MAX_ADDED_NODES,
) -> tuple[int, list[list[int]]]:
    """Return the number of secondary items, and the options, of the problem without colours.

    Raise ValueError if that adds more than `max_added` nodes.

    >>> without_colours(2, 1, [[1, 3], [2, 3], [2, 3]], [[(3, "A")], [(3, "A")], [(3, "B")]])
    (5, [[1, 4, 5], [2, 6, 7], [2, 4, 7]])
    """
    colour_of = [dict(pairs) for pairs in colours]
    replaced = [list(option) for option in options]
    last, added = primary + secondary, 0
    for item in sorted({item for pairs in colour_of for item in pairs}):
        groups = _groups(item, options, colour_of)
        if max(map(len, groups)) == 1:
            continue  # no two options agree: an ordinary secondary item
        if len(groups) == 1:
            replaced = [[one for one in option if one != item] for option in replaced]
            continue  # all options agree: no restriction
        p = _prime(max(len(groups), *map(len, groups)))
        added += p * sum(map(len, groups))
        if added > max_added:
            raise ValueError(f"its colours would add more than {max_added:,} items to options")
        for x, group in enumerate(groups):
            for y, option in enumerate(group):
                replaced[option].remove(item)
                replaced[option] += [last + 1 + (y - b * x) % p * p + b for b in range(p)]
        last += p * p
    return last - primary, replaced


def _groups(
    item: int, options: Sequence[Sequence[int]], colour_of: Sequence[dict[int, str]]
) -> list[list[int]]:
    """Return the options that have an item: one group per colour, and per option without one."""
    groups: dict[str | int, list[int]] = {}
    for k, option in enumerate(options):
        if item in option:
            groups.setdefault(colour_of[k].get(item, k), []).append(k)
    return list(groups.values())


def _prime(least: int) -> int:
    """Return the least prime number from `least` on.

    >>> [_prime(n) for n in (1, 2, 3, 4, 8, 100)]
    [2, 2, 3, 5, 11, 101]
    """
    p = max(least, 2)
    while any(p % d == 0 for d in range(2, int(p**0.5) + 1)):
        p += 1
    return p

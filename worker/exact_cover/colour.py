"""Colours of secondary items, said without colours.

A secondary item may be in several options of a cover if all of them give it the same colour
(Knuth, The Art of Computer Programming 7.2.2.1, "color-controlled covering").  That is an exact
cover, too: two options that disagree need an item in common, two that agree none.  Take the
options of one colour as the points of one vertical line in the plane over the field of p numbers.
Two points of different lines are on exactly one line y = a + b x, two of the same on none.  So
these p * p lines become secondary items, and an option has the p lines that go through it.
"""

from collections.abc import Sequence

#: nodes that colours may add
LARGEST = 10_000_000

#: for each option the items that have a colour in it, and which
Colours = Sequence[Sequence[tuple[int, str]]]


def plain(
    primary: int, secondary: int, options: Sequence[Sequence[int]], colours: Colours
) -> tuple[int, list[list[int]]]:
    """How many secondary items there are without colours, and the options with these.

    ValueError if that would be too many.

    >>> plain(2, 1, [[1, 3], [2, 3], [2, 3]], [[(3, "A")], [(3, "A")], [(3, "B")]])
    (5, [[1, 4, 5], [2, 6, 7], [2, 4, 7]])
    """
    told = [dict(some) for some in colours]
    made = [list(option) for option in options]
    last, added = primary + secondary, 0
    for item in sorted({item for some in told for item in some}):
        lines = _lines(item, options, told)
        if max(map(len, lines)) == 1:
            continue  # no two agree, so it is an item like any other
        if len(lines) == 1:
            made = [[one for one in option if one != item] for option in made]
            continue  # all agree
        p = _prime(max(len(lines), *map(len, lines)))
        added += p * sum(map(len, lines))
        if added > LARGEST:
            raise ValueError(f"its colours would take more than {LARGEST:,} items in options")
        for x, line in enumerate(lines):
            for y, option in enumerate(line):
                made[option].remove(item)
                made[option] += [last + 1 + (y - b * x) % p * p + b for b in range(p)]
        last += p * p
    return last - primary, made


def _lines(
    item: int, options: Sequence[Sequence[int]], told: Sequence[dict[int, str]]
) -> list[list[int]]:
    """The options that have an item, those of one colour together, one without by itself."""
    lines: dict[str | int, list[int]] = {}
    for k, option in enumerate(options):
        if item in option:
            lines.setdefault(told[k].get(item, k), []).append(k)
    return list(lines.values())


def _prime(least: int) -> int:
    """The first one from there.

    >>> [_prime(n) for n in (1, 2, 3, 4, 8, 100)]
    [2, 2, 3, 5, 11, 101]
    """
    p = max(least, 2)
    while any(p % d == 0 for d in range(2, int(p**0.5) + 1)):
        p += 1
    return p

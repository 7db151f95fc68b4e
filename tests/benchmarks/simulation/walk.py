"""A turn of a part, in a tree whose times are known."""

from collections.abc import Sequence
from typing import NamedTuple

from tests.benchmarks.simulation.trees import Enlarged
from worker.exact_cover.parts.frontier import Frontier, Level, Levels


class Walked(NamedTuple):
    """What a turn brought."""

    frontier: Frontier | None  #: None if the part has ended
    seconds: float  #: that it took


def walk(tree: Enlarged, levels: Levels, seconds: float) -> Walked:
    """Search a part for a turn of so many seconds; a level's item is the parent's number.

    A node that cannot be divided is searched to its end, so a turn may take longer.
    """
    path = [[*level.options] for level in levels] or [[0]]
    heads = [level[:2] for level in levels] or [(0, 1)]
    left = seconds
    while left > 0 and path:
        node = path[-1][0]
        whole = tree.time(node)
        if whole > left and (below := tree.below(node)).children:
            left -= below.own
            heads.append((node, len(below.children)))
            path.append([*below.children])
        else:
            left -= whole
            _drop_first(heads, path)
    frontier = Frontier(_levels(heads, path)) if path else None
    return Walked(frontier, seconds - left)


def time_left(tree: Enlarged, levels: Levels) -> float:
    """Return the seconds that are left in a part."""
    last = len(levels) - 1
    return sum(
        tree.time(option)
        for depth, level in enumerate(levels)
        for option in level.options[depth < last :]
    )


def _drop_first(heads: list[tuple[int, int]], path: list[list[int]]) -> None:
    while path:
        del path[-1][0]
        if path[-1]:
            return
        path.pop()
        heads.pop()


def _levels(heads: Sequence[tuple[int, int]], path: Sequence[list[int]]) -> Levels:
    rows = zip(heads, path, strict=True)
    return tuple(Level(*head, tuple(options)) for head, options in rows)

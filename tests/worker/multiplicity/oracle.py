"""Covers with multiplicities by brute force, for small problems, and a known problem."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product

from hypothesis import strategies as st

from worker.exact_cover.problem import Problem, number
from worker.set_cover.layout import Multiplicity

#: primary items, secondary items, options, costs, bounds
Drawn = tuple[int, int, list[list[int]], list[int], list[Multiplicity]]


def covers(
    primary: int,
    secondary: int,
    options: Sequence[Sequence[int]],
    bounds: Sequence[Multiplicity],
    colours: Sequence[Sequence[tuple[int, str]]] | None = None,
) -> list[tuple[int, ...]]:
    """All sets of options that are covers; each option has a primary item."""
    useful = [k for k, option in enumerate(options) if any(item <= primary for item in option)]
    limits = dict(enumerate([*bounds, *[(0, 1)] * secondary], start=1))
    uses = [[(item, (k, "")) for item in option] for k, option in enumerate(options)]
    for k, pairs in enumerate(colours or ()):  # those of one colour count as one
        hues = {item: (-1, hue) for item, hue in pairs}
        uses[k] = [(item, hues.get(item, use)) for item, use in uses[k]]
    return [
        chosen
        for size in range(len(useful) + 1)
        for chosen in combinations(useful, size)
        if _is_cover(limits, {use for k in chosen for use in uses[k]})
    ]


def _is_cover(limits: dict[int, Multiplicity], uses: set[tuple[int, tuple[int, str]]]) -> bool:
    times = Counter(item for item, _ in uses)
    return all(least <= times[item] <= most for item, (least, most) in limits.items())


@st.composite
def problems(draw: st.DrawFn) -> Drawn:
    """Small problems; some bounds are above the number of options."""
    primary = draw(st.integers(1, 5))
    secondary = draw(st.integers(0, 2))
    items = primary + secondary
    option = st.lists(st.integers(1, items), unique=True, max_size=min(items, 4))
    options = draw(st.lists(option, max_size=9))
    cost = st.integers(draw(st.sampled_from([0, -9])), 9)
    costs = draw(st.lists(cost, min_size=len(options), max_size=len(options)))
    least = draw(st.lists(st.integers(0, 3), min_size=primary, max_size=primary))
    more = draw(st.lists(st.sampled_from([0, 0, 1, 2, 9]), min_size=primary, max_size=primary))
    bounds = [(a, max(1, a + b)) for a, b in zip(least, more, strict=True)]
    return primary, secondary, options, costs, bounds


def partridge(order: int) -> tuple[Problem, list[Multiplicity]]:
    """k squares of side k for k = 1 to `order` fill a square of side 1 + 2 + ... + `order`."""
    side = order * (order + 1) // 2
    options = [
        [k, *(1 + order + (r + i) * side + c + j for i, j in product(range(k), repeat=2))]
        for k in range(1, order + 1)
        for r, c in product(range(side - k + 1), repeat=2)
    ]
    bounds = [(k, k) for k in range(1, order + 1)] + [(1, 1)] * side**2
    return number(order + side**2, 0, options), bounds

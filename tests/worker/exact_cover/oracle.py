"""Exact covers by brute force, for small problems."""

from collections.abc import Sequence
from itertools import combinations

from hypothesis import strategies as st


def covers(primary: int, secondary: int, options: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """All sets of options that are covers; each option has a primary item."""
    useful = [k for k, option in enumerate(options) if any(item <= primary for item in option)]
    return [
        chosen
        for size in range(primary + 1)
        for chosen in combinations(useful, size)
        if _is_cover(primary, [item for k in chosen for item in options[k]])
    ]


def _is_cover(primary: int, covered: list[int]) -> bool:
    return len(set(covered)) == len(covered) and set(range(1, primary + 1)) <= set(covered)


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, int, list[list[int]], list[int]]:
    """Small problems: primary and secondary items, options, costs."""
    primary = draw(st.integers(0, 5))
    secondary = draw(st.integers(0, 3))
    items = primary + secondary
    option = st.lists(st.integers(1, max(items, 1)), unique=True, max_size=min(items, 4))
    options = draw(st.lists(option, max_size=11)) if items else []
    costs = draw(st.lists(st.integers(0, 9), min_size=len(options), max_size=len(options)))
    return primary, secondary, options, costs

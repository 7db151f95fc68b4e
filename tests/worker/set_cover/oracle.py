"""Set covers by brute force, for small problems, and problems with known optima."""

from collections.abc import Sequence
from itertools import combinations, product

from worker.exact_cover import stops
from worker.exact_cover.solve import Found


def set_covers(
    primary: int, secondary: int, options: Sequence[Sequence[int]]
) -> list[tuple[int, ...]]:
    """All set covers from which no option can be left out."""
    found: list[tuple[int, ...]] = []
    for size in range(min(primary, len(options)) + 1):
        for chosen in combinations(range(len(options)), size):
            has_less = any(set(one) < set(chosen) for one in found)
            if not has_less and _is_cover(primary, secondary, [options[k] for k in chosen]):
                found.append(chosen)
    return found


def _is_cover(primary: int, secondary: int, chosen: Sequence[Sequence[int]]) -> bool:
    items = [item for option in chosen for item in option]
    return set(range(1, primary + 1)) <= set(items) and all(
        items.count(item) <= 1 for item in range(primary + 1, primary + secondary + 1)
    )


def queens(side: int) -> list[list[int]]:
    """The cells that a queen on each cell attacks, its own included; items count from 1."""
    cells = list(product(range(side), repeat=2))
    return [
        [1 + side * r + c for r, c in cells if r == a or c == b or r + c == a + b or r - c == a - b]
        for a, b in cells
    ]


def grid(rows: int, columns: int) -> list[list[int]]:
    """Each vertex of a grid graph with its neighbours."""
    return [
        [
            1 + columns * r + c
            for r, c in product(range(rows), range(columns))
            if abs(r - a) + abs(c - b) <= 1
        ]
        for a, b in product(range(rows), range(columns))
    ]


def total(chosen: Sequence[int], costs: Sequence[int]) -> int:
    """What options cost together."""
    return sum(costs[k] for k in chosen)


def assert_cheapest(
    found: Found, every: Sequence[tuple[int, ...]], costs: Sequence[int], keep: int
) -> None:
    """Check that a search has ended with the `keep` cheapest of all covers."""
    assert found.status == stops.EXHAUSTED
    assert {chosen for chosen, _ in found.kept} <= set(every)
    assert all(total(chosen, costs) == cost for chosen, cost in found.kept)
    least = sorted(total(chosen, costs) for chosen in every)[:keep]
    assert [cost for _, cost in found.kept] == least
    assert len({chosen for chosen, _ in found.kept}) == len(least)
    assert found.bound == least[0] if least else True

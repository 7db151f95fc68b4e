"""Set covers by brute force, for small problems, and problems with known optima."""

from collections.abc import Sequence
from itertools import combinations, product


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

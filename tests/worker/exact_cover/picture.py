"""The tables of a small problem as text, for the chapter."""

from collections.abc import Iterable

from worker.exact_cover.layout import Links
from worker.exact_cover.nodes import OPTION_BITS


def table(tables: Links) -> str:
    """Return the ring and the masks of a small problem as lines of text."""
    items = range(tables.right.size)
    words = [tables.mask[tables.nodes.first_word[item]] & OPTION_BITS for item in items]
    lines: list[tuple[str, Iterable[object]]] = [
        ("item", items),
        ("left", tables.left),
        ("right", tables.right),
        ("mask", ["..", *(f"{word:b}" for word in words[1:])]),
    ]
    return "\n".join(f"{name:6}" + "".join(f"{cell!s:>4}" for cell in row) for name, row in lines)

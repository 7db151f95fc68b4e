"""Dances with the kernel's own verbs, and tells its tables after each step, for the chapter.

The verbs can be called one by one only where they are Python, not compiled:
`NUMBA_DISABLE_JIT=1 python -m tests.worker.exact_cover.chapter` writes worker/exact_cover/README.md
anew; with `--check` it says what differs.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any, NamedTuple

from worker.exact_cover import dlx
from worker.exact_cover.problem import number

CHAPTER = Path(dlx.__file__).parent / "README.md"
#: what is between these is written here
GENERATED = re.compile(r"^(<!-- table: (\w+) -->\n\n).*?(<!-- end -->)$", re.MULTILINE | re.DOTALL)
ITEMS = " abcdefg"
OPTIONS = ("ce", "adg", "bcf", "adf", "bg", "deg")
COVERED, BITS = 3 << 30, (1 << 30) - 1


class Scene(NamedTuple):
    """The tables after a step."""

    step: str
    mask: list[int]
    left: list[int]
    right: list[int]
    hidden: list[int]  #: the nodes by which options are hidden, in the order in which they were


class Floor:
    """Where it is danced: Algorithm X with the real verbs and tables, without short cuts."""

    def __init__(self) -> None:
        members = [[ITEMS.index(item) for item in option] for option in OPTIONS]
        self.x: Any = dlx.links(number(7, 0, members), copying=False)
        self.d: Any = dlx.dance(7, 1)
        dlx.begin(self.x, self.d)
        self.logged = 0
        self.solutions: list[list[int]] = []

    def scenes(self) -> Iterator[Scene]:
        """All that happens."""
        yield self.scene("the beginning")
        yield from self.go_on(0)

    def go_on(self, placed: int) -> Iterator[Scene]:
        """Cover what is left of the ring in every way."""
        if not self.x.right[0]:
            self.solutions.append([self.option(node) for node in self.d.choice[:placed]])
            return
        for node in self.nodes_of(dlx.smallest(self.x)):
            before, step = self.logged, f"choose {self.name(node)}"
            self.d.guess[placed + 1, [dlx.PLACED_AT, dlx.LOGGED_AT]] = placed, before
            dead = self.choose(placed, node)
            solved = not dead and not self.x.right[0]
            yield self.scene(step + (", in vain" if dead else ", a solution" if solved else ""))
            if not dead:
                yield from self.go_on(placed + 1)
            self.take_back(placed, node, before)
            yield self.scene(f"take back {self.name(node)}")

    def choose(self, placed: int, node: Any) -> bool:
        """Say if an item has none left."""
        self.d.choice[placed] = node
        # How many are called, single and open is for short cuts; any number does that can shrink.
        counts = [dlx.Unsigned(count) for count in (0, 7, 0, 7, self.logged)]
        *_, logged, dead = dlx.choose(self.x, node, *counts)
        self.logged = int(logged)
        return bool(dead)

    def take_back(self, placed: int, node: Any, before: int) -> None:
        dlx.dance_back(self.x, self.d, placed + 1, self.logged, placed + 1)
        dlx.relink(self.x, node)
        self.logged = before

    def nodes_of(self, item: Any) -> list[Any]:
        """The nodes of the options that an item has left."""
        base, mask = self.x.nodes.base[item], int(self.x.mask[item])
        return [dlx.Unsigned(base + bit) for bit in range(mask.bit_length()) if mask >> bit & 1]

    def option(self, node: Any) -> int:
        return int(self.x.nodes.option[node])

    def name(self, node: Any) -> str:
        option = self.option(node)
        return f"{option}: {' '.join(OPTIONS[option])}"

    def scene(self, step: str) -> Scene:
        """The tables as they are."""
        x = self.x
        hidden = x.hidden[: self.logged].tolist()
        return Scene(step, x.mask.tolist(), x.left.tolist(), x.right.tolist(), hidden)


def nodes() -> Iterator[Sequence[str]]:
    """What each bit stands for, a line for each node."""
    yield "node", "item", "bit", "option", "`after`", "the members from there on"
    table = Floor().x.nodes
    for node, (option, after) in enumerate(zip(table.option, table.after, strict=True)):
        item = next(i for i in range(7, 0, -1) if table.base[i] <= node)
        others = table.members[after : after + len(OPTIONS[option])]
        met = " ".join(f"{ITEMS[int(one) >> 5]}{int(one) & 31}" for one in others)
        bit = node - int(table.base[item])
        yield str(node), ITEMS[item], str(bit), str(option), str(after), met


def masks() -> Iterator[Sequence[str]]:
    """The ring and the masks after each step."""
    yield "", "step", "ring", *ITEMS[1:]
    for number_, scene in enumerate(Floor().scenes()):
        ring = "".join(ITEMS[item] for item in ringed(scene.right))
        yield str(number_), scene.step, ring, *map(bits, scene.mask[1:])


def rings() -> Iterator[Sequence[str]]:
    """The links and the hidden nodes after each step."""
    yield "", "`left`", "`right`", "`hidden`"
    for number_, scene in enumerate(Floor().scenes()):
        yield str(number_), spaced(scene.left), spaced(scene.right), spaced(scene.hidden)


def ringed(right: Sequence[int]) -> Iterator[int]:
    """The items in the ring, in order."""
    item = right[0]
    while item:
        yield item
        item = right[item]


def bits(mask: int) -> str:
    """A mask with its lowest bit last; `×` where the item is covered."""
    return f"{mask & BITS:b}{' ×' if mask & COVERED else ''}"


def spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


TABLES = {"nodes": nodes, "masks": masks, "rings": rings}


def written(text: str) -> str:
    """The chapter with the tables that the kernel gives."""
    return GENERATED.sub(lambda found: found[1] + markdown(TABLES[found[2]]()) + found[3], text)


def markdown(lines: Iterable[Sequence[str]]) -> str:
    head, *rows = lines
    parts = [f"| {' | '.join(line)} |\n" for line in (head, *rows)]
    return "".join([parts[0], "|---" * len(head) + "|\n", *parts[1:], "\n"])


if __name__ == "__main__":
    shown = CHAPTER.read_text()
    if "--check" not in sys.argv:
        CHAPTER.write_text(written(shown))
    elif difference := "\n".join(
        unified_diff(shown.splitlines(), written(shown).splitlines(), "shown", "real", lineterm="")
    ):
        sys.exit(difference)

"""Runs Algorithm X step by step with the kernel's own functions, for the tables of the chapter.

Single steps can be called only where the kernel is Python and not compiled:
`NUMBA_DISABLE_JIT=1 python -m tests.worker.exact_cover.chapter` writes the tables into
worker/exact_cover/README.md; with `--check` it prints how they differ.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Any, NamedTuple

from worker.compiling.numbers import Unsigned
from worker.exact_cover import cover, layout
from worker.exact_cover.branch import smallest
from worker.exact_cover.cover import Counts
from worker.exact_cover.layout import links
from worker.exact_cover.nodes import MEMBER_BIT, MEMBER_SHIFT, NOT_OPEN, OPTION_BITS
from worker.exact_cover.problem import number

CHAPTER = Path(layout.__file__).parent / "README.md"
#: a generated table
GENERATED = re.compile(r"^(<!-- table: (\w+) -->\n\n).*?(<!-- end -->)$", re.MULTILINE | re.DOTALL)
ITEMS = " abcdefg"
OPTIONS = ("ce", "adg", "bcf", "adf", "bg", "deg")


class State(NamedTuple):
    """The tables after a step."""

    step: str
    mask: list[int]
    left: list[int]
    right: list[int]
    trail: list[int]


class Example:
    """Knuth's example, solved by Algorithm X as in the book: each option in turn, no short cuts."""

    def __init__(self) -> None:
        members = [[ITEMS.index(item) for item in option] for option in OPTIONS]
        self.links: Any = links(number(7, 0, members), snapshots=False)
        self.trail = 0
        self.solutions: list[list[int]] = []

    def states(self) -> Iterator[State]:
        """The state at the start and after each step."""
        yield self.state("start")
        yield from self.search([])

    def search(self, chosen: list[Any]) -> Iterator[State]:
        """Cover the items that are open in every way."""
        if not self.links.right[0]:
            self.solutions.append([self.option(node) for node in chosen])
            return
        for node in self.nodes_of(smallest(self.links)):
            before = self.trail
            dead = self.choose(node)
            solved = not dead and not self.links.right[0]
            result = ", dead" if dead else ", a solution" if solved else ""
            yield self.state(f"choose {self.name(node)}{result}")
            if not dead:
                yield from self.search([*chosen, node])
            self.undo(node, before)
            yield self.state(f"undo {self.name(node)}")

    def choose(self, node: Any) -> bool:
        """Choose the option of a node; return whether an item has no option left."""
        # Only the trail matters here; the other counts serve short cuts, and must not become < 0.
        zero, enough = Unsigned(0), Unsigned(7)
        counts = Counts(zero, enough, zero, Unsigned(self.trail), enough)
        counts, dead = cover.choose(self.links, node, counts)
        self.trail = int(counts.trail)
        return bool(dead)

    def undo(self, node: Any, before: int) -> None:
        """Undo a choice, after which the trail has its length `before`."""
        cover.unmark(self.links, node)
        cover.undo_trail(self.links, before, self.trail)
        cover.relink(self.links, node)
        self.trail = before

    def nodes_of(self, item: Any) -> list[Any]:
        """The nodes of the options that an item has left."""
        first, mask = self.links.nodes.first_node[item], int(self.links.mask[item])
        return [Unsigned(first + bit) for bit in range(mask.bit_length()) if mask >> bit & 1]

    def option(self, node: Any) -> int:
        return int(self.links.nodes.option[node])

    def name(self, node: Any) -> str:
        option = self.option(node)
        return f"{option}: {' '.join(OPTIONS[option])}"

    def state(self, step: str) -> State:
        tables = self.links
        trail = tables.trail[: self.trail].tolist()
        return State(step, tables.mask.tolist(), tables.left.tolist(), tables.right.tolist(), trail)


def nodes() -> Iterator[Sequence[str]]:
    """A row for each node: what its bit stands for, and where the others of its option are."""
    yield "node", "item", "bit", "option", "`others`", "`members` from there on"
    table = Example().links.nodes
    for node, (option, others) in enumerate(zip(table.option, table.others, strict=True)):
        item = next(i for i in range(7, 0, -1) if table.first_node[i] <= node)
        members = table.members[others : others + len(OPTIONS[option])]
        names = " ".join(f"{ITEMS[one >> MEMBER_SHIFT]}{one & MEMBER_BIT}" for one in members)
        bit = node - int(table.first_node[item])
        yield str(node), ITEMS[item], str(bit), str(option), str(others), names


def masks() -> Iterator[Sequence[str]]:
    """The ring and the masks after each step."""
    yield "", "step", "ring", *ITEMS[1:]
    for count, state in enumerate(Example().states()):
        ring = "".join(ITEMS[item] for item in open_items(state.right))
        yield str(count), state.step, ring, *map(bits, state.mask[1:])


def rings() -> Iterator[Sequence[str]]:
    """The links and the trail after each step."""
    yield "", "`left`", "`right`", "`trail`"
    for count, state in enumerate(Example().states()):
        yield str(count), spaced(state.left), spaced(state.right), spaced(state.trail)


def open_items(right: Sequence[int]) -> Iterator[int]:
    """The items of the ring, in order."""
    item = right[0]
    while item:
        yield item
        item = right[item]


def bits(mask: int) -> str:
    """A mask with its lowest bit last, and a cross if its item is covered."""
    return f"{mask & int(OPTION_BITS):b}{' ×' if mask & int(NOT_OPEN) else ''}"


def spaced(numbers: Iterable[int]) -> str:
    return " ".join(map(str, numbers))


TABLES = {"nodes": nodes, "masks": masks, "rings": rings}


def with_tables(text: str) -> str:
    """The chapter with the tables that the kernel gives."""
    return GENERATED.sub(lambda found: found[1] + markdown(TABLES[found[2]]()) + found[3], text)


def markdown(lines: Iterable[Sequence[str]]) -> str:
    head, *rows = lines
    parts = [f"| {' | '.join(line)} |\n" for line in (head, *rows)]
    return "".join([parts[0], "|---" * len(head) + "|\n", *parts[1:], "\n"])


if __name__ == "__main__":
    written = CHAPTER.read_text()
    if "--check" not in sys.argv:
        CHAPTER.write_text(with_tables(written))
    elif difference := "\n".join(
        unified_diff(
            written.splitlines(),
            with_tables(written).splitlines(),
            "chapter",
            "kernel",
            lineterm="",
        )
    ):
        sys.exit(difference)

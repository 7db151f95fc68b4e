"""Writes a cover problem as the JSON text in which it is stored."""

import json
from collections.abc import Iterable
from itertools import repeat

#: the coloured secondary items of an option: item number and colour
Colours = list[tuple[int, str]]


def cover_text(
    items: int,
    secondary: int,
    options: Iterable[list[int]],
    names: list[str] | None = None,
    costs: Iterable[int] | None = None,
    colours: Iterable[Colours] | None = None,
) -> str:
    """Return the JSON text of a cover problem.

    `costs` and `colours`, where given, have one element for each option.

    >>> cover_text(2, 1, [[1, 3], [2]])
    '{"items":2,"secondary":1,"options":[[1,3],[2]]}'
    >>> cover_text(1, 0, [[1], [1]], costs=[3, 4])
    '{"items":1,"secondary":0,"options":[[1],[1]],"costs":[3,4]}'
    >>> cover_text(1, 1, [[1, 2], [1]], colours=[[(2, "A")], []])
    '{"items":1,"secondary":1,"options":[[1,2],[1]],"colours":[[[2,"A"]],[]]}'
    """
    collected = Options()
    all_costs = repeat(None) if costs is None else costs
    all_colours: Iterable[Colours] = repeat([]) if colours is None else colours
    for option, cost, coloured in zip(options, all_costs, all_colours, strict=False):
        collected.add(option, cost, coloured)
    return collected.text(items, secondary, names)


class Options:
    """Collects the options of a cover problem, with costs and colours, as parts of its JSON text.

    Lists of numbers would take twenty times the memory.
    """

    def __init__(self) -> None:
        self.count = 0
        self._text = bytearray()
        self._costs = bytearray()
        self.costly = False  #: at least one option has a cost
        self._colours = bytearray()
        self._coloured = False  #: at least one option has a colour

    def __len__(self) -> int:
        """The number of bytes that the options take in the text."""
        further = self.costly * len(self._costs) + self._coloured * len(self._colours)
        return len(self._text) + further

    def add(self, option: list[int], cost: int | None = None, colours: Colours = []) -> None:  # noqa: B006 # it is only read
        """Add an option given by its item numbers; `cost` None counts as 0."""
        self.count += 1
        self._text += repr(option).replace(" ", "").encode() + b","
        self._costs += b"%d," % (cost or 0)
        self.costly = self.costly or cost is not None
        self._colours += _json(colours).encode() + b","
        self._coloured = self._coloured or bool(colours)

    def text(self, items: int, secondary: int, names: list[str] | None = None) -> str:
        """Return the JSON text of a problem with these options and so many items."""
        options = self._text[:-1].decode("ascii")
        costs = f',"costs":[{self._costs[:-1].decode("ascii")}]' if self.costly else ""
        if self._coloured:
            costs += f',"colours":[{self._colours[:-1].decode()}]'
        called = "" if names is None else f',"names":{_json(names)}'
        return f'{{"items":{items},"secondary":{secondary},"options":[{options}]{costs}{called}}}'


def _json(values: Colours | list[str]) -> str:
    return json.dumps(values, separators=(",", ":"), ensure_ascii=False)

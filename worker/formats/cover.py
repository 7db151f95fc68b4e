"""A cover problem as it is stored."""

import json
from collections.abc import Iterable
from itertools import repeat

#: the secondary items that have a colour in an option, and which
Colours = list[tuple[int, str]]


def cover_text(
    items: int,
    secondary: int,
    options: Iterable[list[int]],
    names: list[str] | None = None,
    costs: Iterable[int] | None = None,
    colours: Iterable[Colours] | None = None,
) -> str:
    """A cover problem as it is stored; of `costs` and `colours` there are as many as of options.

    >>> cover_text(2, 1, [[1, 3], [2]])
    '{"items":2,"secondary":1,"options":[[1,3],[2]]}'
    >>> cover_text(1, 0, [[1], [1]], costs=[3, 4])
    '{"items":1,"secondary":0,"options":[[1],[1]],"costs":[3,4]}'
    >>> cover_text(1, 1, [[1, 2], [1]], colours=[[(2, "A")], []])
    '{"items":1,"secondary":1,"options":[[1,2],[1]],"colours":[[[2,"A"]],[]]}'
    """
    gathered = Options()
    each = repeat(None) if costs is None else costs
    hued: Iterable[Colours] = repeat([]) if colours is None else colours
    for option, cost, some in zip(options, each, hued, strict=False):
        gathered.add(option, cost, some)
    return gathered.text(items, secondary, names)


def has_costs(text: str) -> bool:
    """Whether a cover problem, as it is stored, says what its options cost."""
    return '"costs":' in text  # in a name the quotes would be escaped


class Options:
    """The options of a cover problem, what they cost, and their colours, on the way into its text.

    As lists of numbers they would take twenty times the memory.
    """

    def __init__(self) -> None:
        self.count = 0
        self._text = bytearray()
        self._costs = bytearray()
        self._costly = False  #: whether any of them has a cost
        self._colours = bytearray()
        self._coloured = False  #: whether any of them has a colour

    def __len__(self) -> int:
        """The characters that they take."""
        told = self._costly * len(self._costs) + self._coloured * len(self._colours)
        return len(self._text) + told

    def add(self, option: list[int], cost: int | None = None, colours: Colours = []) -> None:  # noqa: B006 # it is only read
        """One more; without a cost it costs nothing."""
        self.count += 1
        self._text += repr(option).replace(" ", "").encode() + b","
        self._costs += b"%d," % (cost or 0)
        self._costly = self._costly or cost is not None
        self._colours += _json(colours).encode() + b","
        self._coloured = self._coloured or bool(colours)

    def text(self, items: int, secondary: int, names: list[str] | None = None) -> str:
        """The problem that they are the options of."""
        options = self._text[:-1].decode("ascii")
        costs = f',"costs":[{self._costs[:-1].decode("ascii")}]' if self._costly else ""
        if self._coloured:
            costs += f',"colours":[{self._colours[:-1].decode()}]'
        called = "" if names is None else f',"names":{_json(names)}'
        return f'{{"items":{items},"secondary":{secondary},"options":[{options}]{costs}{called}}}'


def _json(told: Colours | list[str]) -> str:
    return json.dumps(told, separators=(",", ":"), ensure_ascii=False)

"""A cover problem as it is stored."""

import json
from collections.abc import Iterable
from itertools import repeat


def cover_text(
    items: int,
    secondary: int,
    options: Iterable[list[int]],
    names: list[str] | None = None,
    costs: Iterable[int] | None = None,
) -> str:
    """A cover problem as it is stored; of `costs` there are as many as of options.

    >>> cover_text(2, 1, [[1, 3], [2]])
    '{"items":2,"secondary":1,"options":[[1,3],[2]]}'
    >>> cover_text(1, 0, [[1], [1]], costs=[3, 4])
    '{"items":1,"secondary":0,"options":[[1],[1]],"costs":[3,4]}'
    """
    gathered = Options()
    for option, cost in zip(options, repeat(None) if costs is None else costs, strict=False):
        gathered.add(option, cost)
    return gathered.text(items, secondary, names)


def has_costs(text: str) -> bool:
    """Whether a cover problem, as it is stored, says what its options cost."""
    return '"costs":' in text  # in a name the quotes would be escaped


class Options:
    """The options of a cover problem, and what they cost, on their way into its text.

    As lists of numbers they would take twenty times the memory.
    """

    def __init__(self) -> None:
        self.count = 0
        self._text = bytearray()
        self._costs = bytearray()
        self._costly = False  #: whether any of them has a cost

    def __len__(self) -> int:
        """The characters that they take."""
        return len(self._text) + self._costly * len(self._costs)

    def add(self, option: list[int], cost: int | None = None) -> None:
        """One more; without a cost it costs nothing."""
        self.count += 1
        self._text += repr(option).replace(" ", "").encode() + b","
        self._costs += b"%d," % (cost or 0)
        self._costly = self._costly or cost is not None

    def text(self, items: int, secondary: int, names: list[str] | None = None) -> str:
        """The problem that they are the options of."""
        options = self._text[:-1].decode("ascii")
        costs = f',"costs":[{self._costs[:-1].decode("ascii")}]' if self._costly else ""
        called = "" if names is None else f',"names":{_json(names)}'
        return f'{{"items":{items},"secondary":{secondary},"options":[{options}]{costs}{called}}}'


def _json(names: list[str]) -> str:
    return json.dumps(names, separators=(",", ":"), ensure_ascii=False)

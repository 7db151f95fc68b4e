"""The text form of a cover problem: the JSON in which it is read, stored and solved.

    {"items": 2, "secondary": 1, "options": [[1, 3], [2]], "costs": [4, 0]}

Items are numbered from 1, the primary ones first: `items` is the number of primary items, and
`secondary` that of secondary items.
`costs` has a number for each option, `colours` has for each option the pairs [secondary item,
colour], `names` the name of each item, `option_names` that of each option, `multiplicities` has for
each primary item the pair [least, greatest] of how often it is covered, and `set_cover` is true if
primary items may be covered more than once.  These six are optional.  In a set cover without these
other members, `distances` may have for each option a list with the distance of each of its items;
then the least radius is wanted within which `at_most` options cover every item.
"""

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

#: greatest number of characters in a problem's text
MAX_CHARACTERS = 32 * 1024 * 1024
#: greatest cost of an option, and greatest profit; sums of larger ones might not fit into 64 bits
MAX_COST = 10**9

#: the coloured secondary items of an option: item number and colour
Colours = list[tuple[int, str]]
#: how often an item is covered: the least and the greatest number of times
Multiplicity = tuple[int, int]
#: the multiplicity of a primary item, unless its problem says otherwise
ONCE: Multiplicity = (1, 1)


class Cover(NamedTuple):
    """A cover problem in the terms of its text."""

    primary: int  #: number of items to be covered: once, or as `multiplicities` or `set_cover` say
    secondary: int  #: number of items to be covered at most once
    options: list[list[int]]  #: the item numbers of each option
    costs: list[int] | None = None  #: of each option; a profit is a negative cost
    colours: list[Colours] | None = None  #: of each option
    names: list[str] | None = None  #: of each item
    set_cover: bool = False  #: the fewest or cheapest options are wanted, which may overlap
    at_most: int | None = None  #: with `distances`: the most options that may be chosen
    distances: list[list[int]] | None = None  #: of each option: how far away its items are
    multiplicities: list[Multiplicity] | None = None  #: of each primary item; None: all are ONCE
    option_names: list[str] | None = None  #: of each option

    @property
    def items(self) -> int:
        """The number of primary and secondary items."""
        return self.primary + self.secondary


def encode(cover: Cover) -> str:
    """Return the JSON text of a problem.

    >>> encode(Cover(2, 1, [[1, 3], [2]], costs=[4, 0]))
    '{"items":2,"secondary":1,"options":[[1,3],[2]],"costs":[4,0]}'
    >>> encode(Cover(1, 1, [[1, 2], [1]], colours=[[(2, "A")], []]))
    '{"items":1,"secondary":1,"options":[[1,2],[1]],"colours":[[[2,"A"]],[]]}'
    """
    costs = _compact(cover.costs) if cover.costs else None
    colours = _compact(cover.colours) if cover.colours and any(cover.colours) else None
    return _text(cover, _compact(cover.options), costs, colours)


def _text(cover: Cover, options: str, costs: str | None, colours: str | None) -> str:
    """Return the text of a problem with options, costs and colours that are JSON."""
    members = [f'"items":{cover.primary},"secondary":{cover.secondary},"options":{options}']
    if costs is not None:
        members.append(f'"costs":{costs}')
    if colours is not None:
        members.append(f'"colours":{colours}')
    if cover.names is not None:
        members.append(f'"names":{_compact(cover.names)}')
    if cover.option_names is not None:
        members.append(f'"option_names":{_compact(cover.option_names)}')
    if cover.distances is not None:
        members.append(f'"distances":{_compact(cover.distances)},"at_most":{cover.at_most}')
    if cover.multiplicities and any(one != ONCE for one in cover.multiplicities):
        members.append(f'"multiplicities":{_compact(cover.multiplicities)}')
    if cover.set_cover:
        members.append('"set_cover":true')
    return f"{{{','.join(members)}}}"


def _compact(value: Sequence[object]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def is_set_cover(text: str) -> bool:
    """Return whether a text that `encode` wrote is marked as a set cover.

    >>> is_set_cover(encode(Cover(1, 0, [[1]], set_cover=True)))
    True
    """
    return text.endswith(',"set_cover":true}')


def marked_as_set_cover(text: str) -> str:
    """Return a text that `encode` wrote, marked as a set cover.

    >>> is_set_cover(marked_as_set_cover(encode(Cover(1, 0, [[1]]))))
    True
    """
    return text if is_set_cover(text) else f'{text[:-1]},"set_cover":true}}'


def has_distances(text: str) -> bool:
    """Return whether the least radius of a text that `encode` wrote is wanted.

    >>> has_distances(encode(Cover(1, 0, [[1]], set_cover=True, at_most=1, distances=[[3]])))
    True
    """
    return '"distances":' in text


def has_multiplicities(text: str) -> bool:
    """Return whether a text that `encode` wrote has multiplicities.

    >>> has_multiplicities(encode(Cover(2, 0, [[1], [2]], multiplicities=[(0, 2), ONCE])))
    True
    >>> has_multiplicities(encode(Cover(2, 0, [[1], [2]], multiplicities=[ONCE, ONCE])))
    False
    """
    return '"multiplicities":' in text  # in a name, the quotes would have backslashes


def has_profits(text: str) -> bool:
    """Return whether a text that `encode` wrote has negative costs.

    >>> has_profits(encode(Cover(1, 0, [[1], [1]], costs=[2, -3])))
    True
    """
    return "-" in text.partition('"costs":[')[2].partition("]")[0]


def option_numbers(path: Iterable[int]) -> str:
    """Return the text of a cover, given the indices of its options: numbers from 1, ascending.

    >>> option_numbers([4, 0])
    '1 5'
    """
    return " ".join([str(option + 1) for option in sorted(path)])


class EncodedOptions:
    """The options that were read so far, as parts of the problem's JSON text.

    As lists of numbers they would take twenty times the memory.
    """

    def __init__(self) -> None:
        self.count = 0
        self.has_costs = False  #: at least one option has a cost
        self.has_profits = False  #: at least one has a negative cost
        self._options = bytearray()
        self._costs = bytearray()
        self._colours = bytearray()
        self._has_colours = False  #: at least one option has a coloured item

    @property
    def characters(self) -> int:
        """The length that the options, costs and colours have in the text."""
        costs = len(self._costs) if self.has_costs else 0
        colours = len(self._colours) if self._has_colours else 0
        return len(self._options) + costs + colours

    def add(self, option: list[int], cost: int | None = None, colours: Colours = []) -> None:  # noqa: B006 # it is only read
        """Add an option with these items; without a cost it costs nothing."""
        self.count += 1
        self._options += repr(option).replace(" ", "").encode() + b","
        self._costs += b"%d," % (cost or 0)
        self.has_costs = self.has_costs or cost is not None
        self.has_profits = self.has_profits or (cost or 0) < 0
        self._colours += _compact(colours).encode() + b"," if colours else b"[],"
        self._has_colours = self._has_colours or bool(colours)

    def text(self, cover: Cover) -> str:
        """Return the JSON text of a problem with these options in place of its own."""
        costs = _json(self._costs) if self.has_costs else None
        colours = _json(self._colours) if self._has_colours else None
        return _text(cover, _json(self._options), costs, colours)


def _json(entries: bytearray) -> str:
    """Return a JSON list of entries, each of which ends in a comma."""
    return f"[{entries[:-1].decode()}]"

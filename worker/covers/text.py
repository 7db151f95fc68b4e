"""The text form of a cover problem: the JSON in which it is read, stored and solved.

    {"items": 2, "secondary": 1, "options": [[1, 3], [2]], "costs": [4, 0]}

Items are numbered from 1, the primary ones first: `items` is the number of primary items, and
`secondary` that of secondary items.
`costs` has a number for each option, `colours` has for each option the pairs [secondary item,
colour], `names` the name of each item, and `set_cover` is true if primary items may be covered more
than once.  These four are optional.  In a set cover without these other members, `distances` may
have for each option a list with the distance of each of its items; then the least radius is wanted
within which `at_most` options cover every item.
"""

import json
import re
from collections.abc import Iterable
from itertools import repeat
from typing import Any, NamedTuple

from worker.errors import PuzzleError

#: greatest number of characters in a problem's text
MAX_CHARACTERS = 32 * 1024 * 1024
#: greatest number of primary items, and of secondary items
MAX_DECLARED_ITEMS = 2**31 - 1
#: greatest cost of an option; sums of larger ones might not fit into 64 bits
MAX_COST = 10**9
#: greatest distance of an item, which a column of the database must hold
MAX_DISTANCE = 2**63 - 1
#: halves of UTF-16 pairs, which JSON can express and no database can store
SURROGATE = re.compile("[\ud800-\udfff]")

#: the coloured secondary items of an option: item number and colour
Colours = list[tuple[int, str]]


class Cover(NamedTuple):
    """A cover problem in the terms of its text."""

    primary: int  #: number of items to be covered: exactly once, or in a set cover at least once
    secondary: int  #: number of items to be covered at most once
    options: list[list[int]]  #: the item numbers of each option
    costs: list[int] | None = None  #: of each option
    colours: list[Colours] | None = None  #: of each option
    names: list[str] | None = None  #: of each item
    set_cover: bool = False  #: the fewest or cheapest options are wanted, which may overlap
    at_most: int | None = None  #: with `distances`: so many options may be chosen
    distances: list[list[int]] | None = None  #: of each option: how far away its items are

    @property
    def items(self) -> int:
        """The number of primary and secondary items."""
        return self.primary + self.secondary


def decode(text: str) -> Cover:
    """Return the problem that a JSON text describes, or raise PuzzleError."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PuzzleError(f"the JSON cannot be read ({error})") from error
    if not isinstance(value, dict):
        raise PuzzleError("the JSON is not an object")
    return validate(value)


def validate(members: dict[str, Any]) -> Cover:
    """Return the problem that the members of a JSON object describe, or raise PuzzleError.

    Unknown members are ignored.
    """
    primary = _item_count(members.get("items"), "items")
    secondary = _item_count(members.get("secondary", 0), "secondary")
    options = _options(members.get("options"), primary + secondary)
    costs = _costs(members.get("costs"), len(options))
    colours = _colours(members.get("colours"), options, primary)
    names = _names(members.get("names"), primary + secondary)
    set_cover = members.get("set_cover", False)
    if type(set_cover) is not bool:
        raise PuzzleError("`set_cover` must be true or false")
    cover = Cover(primary, secondary, options, costs, colours, names, set_cover)
    return _with_distances(cover, members.get("distances"), members.get("at_most"))


def encode(cover: Cover) -> str:
    """Return the JSON text of a problem.

    >>> encode(Cover(2, 1, [[1, 3], [2]], costs=[4, 0]))
    '{"items":2,"secondary":1,"options":[[1,3],[2]],"costs":[4,0]}'
    >>> encode(Cover(1, 1, [[1, 2], [1]], colours=[[(2, "A")], []]))
    '{"items":1,"secondary":1,"options":[[1,2],[1]],"colours":[[[2,"A"]],[]]}'
    """
    options = EncodedOptions()
    costs: Iterable[int | None] = repeat(None) if cover.costs is None else cover.costs
    colours: Iterable[Colours] = repeat([]) if cover.colours is None else cover.colours
    for option, cost, coloured in zip(cover.options, costs, colours, strict=False):
        options.add(option, cost, coloured)
    return options.text(
        cover.primary,
        cover.secondary,
        cover.names,
        set_cover=cover.set_cover,
        at_most=cover.at_most,
        distances=cover.distances,
    )


def is_set_cover(text: str) -> bool:
    """Return whether a text that `encode` wrote is marked as a set cover.

    >>> is_set_cover(encode(Cover(1, 0, [[1]], set_cover=True)))
    True
    """
    return text.endswith(',"set_cover":true}')


def option_numbers(path: Iterable[int]) -> str:
    """Return the text of a cover, given the indices of its options: numbers from 1, ascending.

    >>> option_numbers([4, 0])
    '1 5'
    """
    return " ".join(str(option + 1) for option in sorted(path))


class EncodedOptions:
    """The options that were read so far, as parts of the problem's JSON text.

    As lists of numbers they would take twenty times the memory.
    """

    def __init__(self) -> None:
        self.count = 0
        self.has_costs = False  #: at least one option has a cost
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
        self._colours += _compact(colours).encode() + b"," if colours else b"[],"
        self._has_colours = self._has_colours or bool(colours)

    def text(
        self,
        primary: int,
        secondary: int,
        names: list[str] | None = None,
        *,
        set_cover: bool = False,
        at_most: int | None = None,
        distances: list[list[int]] | None = None,
    ) -> str:
        """Return the JSON text of the problem with these options."""
        members = [
            f'"items":{primary},"secondary":{secondary}',
            f'"options":[{self._options[:-1].decode()}]',
        ]
        if self.has_costs:
            members.append(f'"costs":[{self._costs[:-1].decode()}]')
        if self._has_colours:
            members.append(f'"colours":[{self._colours[:-1].decode()}]')
        if names is not None:
            members.append(f'"names":{_compact(names)}')
        if distances is not None:
            members.append(f'"distances":{_compact(distances)},"at_most":{at_most}')
        if set_cover:
            members.append('"set_cover":true')
        return f"{{{','.join(members)}}}"


def _compact(value: Colours | list[str] | list[list[int]]) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _item_count(value: object, name: str) -> int:
    if type(value) is not int or not 0 <= value <= MAX_DECLARED_ITEMS:
        raise PuzzleError(f"`{name}` must be a whole number from 0 to {MAX_DECLARED_ITEMS:,}")
    return value


def _options(value: object, items: int) -> list[list[int]]:
    if not isinstance(value, list):
        raise PuzzleError("`options` must be a list of lists of item numbers")
    for number, option in enumerate(value, 1):
        if not isinstance(option, list) or any(type(item) is not int for item in option):
            raise PuzzleError(f"option {number} must be a list of item numbers")
        if option and not 1 <= min(option) <= max(option) <= items:
            raise PuzzleError(f"option {number} has an item outside 1 to {items}")
        if len(set(option)) < len(option):
            raise PuzzleError(f"option {number} has an item twice")
    return value


def _costs(value: object, options: int) -> list[int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != options:
        raise PuzzleError(f"`costs` must be a list with a number for each option ({options})")
    for number, cost in enumerate(value, 1):
        if type(cost) is not int or not 0 <= cost <= MAX_COST:
            raise PuzzleError(
                f"the cost of option {number} must be a whole number from 0 to {MAX_COST:,}"
            )
    return value


def _colours(value: object, options: list[list[int]], primary: int) -> list[Colours] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != len(options):
        raise PuzzleError(f"`colours` must be a list with a list for each option ({len(options)})")
    for number, (colours, option) in enumerate(zip(value, options, strict=True), 1):
        if not (isinstance(colours, list) and all(map(_is_pair, colours))):
            raise PuzzleError(f"the colours of option {number} must be pairs [item, colour]")
        items = {item for item, _ in colours}
        if len(items) < len(colours):
            raise PuzzleError(f"option {number} has an item with two colours")
        if not items.issubset(option) or (items and min(items) <= primary):
            raise PuzzleError(f"option {number} has a colour without that secondary item")
    return [[(item, colour) for item, colour in colours] for colours in value]


def _with_distances(cover: Cover, distances: object, at_most: object) -> Cover:
    if distances is None and at_most is None:
        return cover
    if not cover.set_cover or cover.secondary or cover.costs or not cover.primary:
        raise PuzzleError(
            "`distances` and `at_most` need `set_cover`, and primary items without costs"
        )
    if type(at_most) is not int or at_most < 0:
        raise PuzzleError("`at_most` must be the number of options that may be chosen")
    if not isinstance(distances, list) or len(distances) != len(cover.options):
        raise PuzzleError("`distances` must be a list with a list for each option")
    for number, (option, row) in enumerate(zip(cover.options, distances, strict=True), 1):
        if not (isinstance(row, list) and len(row) == len(option) and all(map(_is_distance, row))):
            raise PuzzleError(
                f"option {number} needs a distance for each item, from 0 to {MAX_DISTANCE:,}"
            )
    return cover._replace(at_most=at_most, distances=distances)


def _is_distance(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_DISTANCE


def _is_pair(value: object) -> bool:
    return (
        isinstance(value, list) and len(value) == 2 and type(value[0]) is int and _is_text(value[1])
    )


def _names(value: object, items: int) -> list[str] | None:
    if value is None:
        return None
    if not (isinstance(value, list) and len(value) == items and all(map(_is_text, value))):
        raise PuzzleError(f"`names` must be a list with a text for each item ({items})")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and SURROGATE.search(value) is None

"""Reads the JSON text of a cover problem, and reports the first thing that is wrong with it."""

import json
import re
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from worker.covers.text import MAX_COST, ONCE, Colours, Cover, Multiplicity
from worker.errors import PuzzleError
from worker.garbage import uncollected

#: greatest number of primary items, and of secondary items
MAX_DECLARED_ITEMS = 2**31 - 1
#: greatest distance of an item, which a column of the database must hold
MAX_DISTANCE = 2**63 - 1
#: the members of a JSON object that describe a problem
MEMBERS = frozenset({*Cover._fields, "items"} - {"primary"})
#: halves of UTF-16 pairs, which JSON can express and no database can store
SURROGATE = re.compile("[\ud800-\udfff]")


@uncollected()
def decode(text: str) -> Cover:
    """Return the problem that a JSON text describes, or raise PuzzleError.

    That each option names items that exist, and each once, is left to whoever lays it out.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PuzzleError(f"the JSON cannot be read ({error})") from error
    if not isinstance(value, dict):
        raise PuzzleError("the JSON is not an object")
    return validate(value, will_be_laid_out=True)


def validate(members: dict[str, Any], *, will_be_laid_out: bool = False) -> Cover:
    """Return the problem that the members of a JSON object describe, or raise PuzzleError.

    Unknown members are ignored.  What `number` of the solver checks as well, with many options in
    seconds, is left to it if the problem `will_be_laid_out`.
    """
    primary = _item_count(members.get("items"), "items")
    secondary = _item_count(members.get("secondary", 0), "secondary")
    options = _options(members.get("options"))
    if not will_be_laid_out:
        _check_items(options, primary + secondary)
    costs = _costs(_list(members, "costs", "a number for each option", len(options)))
    colours = _list(members, "colours", "a list for each option", len(options))
    colours = _colours(colours, options, primary)
    names = _names(members, "names", "item", primary + secondary)
    option_names = _names(members, "option_names", "option", len(options))
    set_cover = members.get("set_cover", False)
    if type(set_cover) is not bool:
        raise PuzzleError("`set_cover` must be true or false")
    pairs = _list(members, "multiplicities", "a pair for each primary item", primary)
    multiplicities = _multiplicities(pairs)
    if set_cover and multiplicities is not None:
        raise PuzzleError("a set cover has no `multiplicities`; leave out one of the two")
    if set_cover and min(costs or [0]) < 0:
        raise PuzzleError("a set cover has no negative costs")
    described = primary, secondary, options, costs, colours, names, set_cover
    cover = Cover(*described, multiplicities=multiplicities, option_names=option_names)
    return _with_distances(cover, members.get("distances"), members.get("at_most"))


def _item_count(value: object, name: str) -> int:
    if type(value) is not int or not 0 <= value <= MAX_DECLARED_ITEMS:
        raise PuzzleError(f"`{name}` must be a whole number from 0 to {MAX_DECLARED_ITEMS:,}")
    return value


def _options(value: object) -> list[list[int]]:
    if not isinstance(value, list):
        raise PuzzleError("`options` must be a list of lists of item numbers")
    if wrong := _first_wrong(_are_lists_of_numbers, value):
        raise PuzzleError(f"option {wrong} must be a list of item numbers")
    return value


def _list(members: dict[str, Any], name: str, entries: str, size: int) -> list[Any] | None:
    """Return an optional member that must be a list of `size` entries."""
    value = members.get(name)
    if value is not None and (not isinstance(value, list) or len(value) != size):
        raise PuzzleError(f"`{name}` must be a list with {entries} ({size})")
    return value


def _first_wrong(are_right: Callable[[list[Any]], bool], values: list[Any]) -> int | None:
    """Return the number of the first value that is wrong, from 1; quickly None, if none is."""
    if not values or are_right(values):
        return None
    return next(number for number, value in enumerate(values, 1) if not are_right([value]))


def _check_items(options: list[list[int]], items: int) -> None:
    from worker.exact_cover import problem  # noqa: PLC0415 # NumPy, which grids do not need

    members, first = problem.flat(options)
    if (k := problem.first_outside(members, first, items)) is not None:
        raise PuzzleError(f"option {k + 1} has an item outside 1 to {items}")
    if (k := problem.first_repeating(members, first)) is not None:
        raise PuzzleError(f"option {k + 1} has an item twice")


def _are_lists_of_numbers(lists: list[Any]) -> bool:
    """Return whether each value is a list of whole numbers; quickly, for millions of them."""
    return set(map(type, lists)) <= {list} and _are_numbers(chain.from_iterable(lists))


def _are_numbers(values: Iterable[object]) -> bool:
    return set(map(type, values)) <= {int}


def _costs(value: list[Any] | None) -> list[int] | None:
    if wrong := _first_wrong(_are_costs, value or []):
        raise PuzzleError(
            f"the cost of option {wrong} must be a whole number from {-MAX_COST:,} to {MAX_COST:,}"
        )
    return value


def _are_costs(values: list[Any]) -> bool:
    return _are_numbers(values) and all(abs(of(values, default=0)) <= MAX_COST for of in (min, max))


def _colours(
    value: list[Any] | None, options: list[list[int]], primary: int
) -> list[Colours] | None:
    if value is None:
        return None
    if wrong := _first_wrong(_are_lists_of_pairs, value):
        pairs = 'pairs of an item number and a text, such as [3, "red"]'
        raise PuzzleError(f"the colours of option {wrong} must be {pairs}")
    for number, (colours, option) in enumerate(zip(value, options, strict=True), 1):
        items = {item for item, _ in colours}
        if len(items) < len(colours):
            raise PuzzleError(f"option {number} has an item with two colours")
        if not items.issubset(option) or (items and min(items) <= primary):
            raise PuzzleError(f"option {number} has a colour without that secondary item")
    return [[(item, colour) for item, colour in colours] for colours in value]


def _multiplicities(value: list[Any] | None) -> list[Multiplicity] | None:
    """Return the multiplicities; None if each is ONCE."""
    if not value:
        return None
    for number, pair in enumerate(value, 1):
        if not (_are_lists_of_numbers([pair]) and len(pair) == 2):
            raise PuzzleError(f"the multiplicity of item {number} must be a pair [least, greatest]")
        if fault := multiplicity_fault(*pair):
            raise PuzzleError(f"the multiplicity of item {number} {fault}")
    multiplicities = [(least, greatest) for least, greatest in value]
    return multiplicities if set(multiplicities) - {ONCE} else None


def multiplicity_fault(least: int, greatest: int) -> str | None:
    """Return why these cannot be the bounds of an item, after its subject; None if they can.

    >>> multiplicity_fault(3, 2)
    'is 3 to 2; the least number must not exceed the greatest'
    """
    if least > greatest:
        return f"is {least} to {greatest}; the least number must not exceed the greatest"
    if least < 0 or not 1 <= greatest <= MAX_DECLARED_ITEMS:
        most = f"{MAX_DECLARED_ITEMS:,}"
        return f"is {least} to {greatest}; the least number is 0 or more, the greatest 1 to {most}"
    return None


def _with_distances(cover: Cover, distances: object, at_most: object) -> Cover:
    if distances is None and at_most is None:
        return cover
    if not cover.set_cover or cover.secondary or cover.costs or not cover.primary:
        why = "`distances` and `at_most` need `set_cover`, and primary items without costs"
        raise PuzzleError(why)
    if type(at_most) is not int or at_most < 0:
        raise PuzzleError("`at_most` must be the number of options that may be chosen")
    if not isinstance(distances, list) or len(distances) != len(cover.options):
        raise PuzzleError("`distances` must be a list with a list for each option")
    if wrong := _first_wrong(_are_distances, [*zip(cover.options, distances, strict=True)]):
        raise PuzzleError(
            f"option {wrong} needs a distance for each item, from 0 to {MAX_DISTANCE:,}"
        )
    return cover._replace(at_most=at_most, distances=distances)


def _are_distances(options: list[tuple[list[int], Any]]) -> bool:
    rows = [row for _, row in options]
    if not (_are_lists_of_numbers(rows) and all(len(items) == len(row) for items, row in options)):
        return False
    least, most = (of(chain.from_iterable(rows), default=0) for of in (min, max))
    return least >= 0 and most <= MAX_DISTANCE


def _are_lists_of_pairs(lists: list[Any]) -> bool:
    """Return whether each value is a list of pairs of a whole number and a text."""
    if set(map(type, lists)) - {list}:
        return False
    pairs = list(chain.from_iterable(lists))
    if set(map(type, pairs)) - {list} or set(map(len, pairs)) - {2}:
        return False
    texts = [text for _, text in pairs]
    is_text = set(map(type, texts)) <= {str} and all(map(_is_text, set(texts)))
    return is_text and _are_numbers(item for item, _ in pairs)


def _names(members: dict[str, Any], name: str, of: str, size: int) -> list[str] | None:
    entries = f"a text for each {of}"
    value = _list(members, name, entries, size)
    if value is not None and not all(map(_is_text, value)):
        raise PuzzleError(f"`{name}` must be a list with {entries} ({size})")
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str) and SURROGATE.search(value) is None

"""Whether options are a cover of a problem, and whether it costs what its score says."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

#: the text of a cover, the numbers of its options from 1, and its score, if it has one
Kept = tuple[str, int | None]


def fault(text: str, kept: Sequence[Kept], *, set_cover: bool) -> str | None:
    """Return what is wrong with covers of a problem, given by its JSON text; None if nothing is.

    With `set_cover`, items may be covered more than once, whatever the text says.

    >>> problem = '{"items": 2, "secondary": 0, "options": [[1], [1, 2], [2]], "costs": [1, 9, 2]}'
    >>> fault(problem, [("1 3", -3), ("2", -9)], set_cover=False)
    >>> fault(problem, [("1 2", None)], set_cover=False)
    '1 2: item 1 is covered 2 times'
    >>> fault(problem, [("2", -8)], set_cover=False)
    '2: its score is -8 instead of -9'
    """
    problem: dict[str, Any] = json.loads(text)
    set_cover = set_cover or problem.get("set_cover", False)
    for cover, score in kept:
        chosen = list(map(int, cover.split()))
        for what in _faults(problem, chosen, score, set_cover=set_cover):
            return f"{cover}: {what}"
    return None


def _faults(
    problem: dict[str, Any], chosen: list[int], score: int | None, *, set_cover: bool
) -> Iterator[str]:
    options = problem["options"]
    if any(not 1 <= k <= len(options) for k in chosen):
        yield "an option does not exist"
        return
    if len(set(chosen)) < len(chosen):
        yield "an option is chosen twice"
    if len(chosen) > problem.get("at_most", inf):
        yield f"it has {len(chosen)} options"
    yield from _wrong_items(problem, [k - 1 for k in chosen], set_cover=set_cover)
    if score is not None:
        expected = _score(problem, [k - 1 for k in chosen], set_cover=set_cover)
        if score != expected:
            yield f"its score is {score} instead of {expected}"


def _wrong_items(
    problem: dict[str, Any], chosen: Sequence[int], *, set_cover: bool
) -> Iterator[str]:
    primary = problem["items"]
    times = Counter(item for k in chosen for item in problem["options"][k])
    usual = (1, inf) if set_cover else (1, 1)
    bounds = problem.get("multiplicities") or [usual] * primary
    for item, (least, most) in enumerate(bounds, start=1):
        if not least <= times[item] <= most:
            yield f"item {item} is covered {times[item]} times"
    colours = _colours(problem, chosen)
    for item, count in times.items():
        if item > primary and count > 1 and (item not in colours or len(colours[item]) > 1):
            yield f"the secondary item {item} is covered {count} times"


def _colours(problem: dict[str, Any], chosen: Sequence[int]) -> dict[int, set[object]]:
    """Return the colours of each coloured item; an option without one has a colour of its own."""
    of_option = problem.get("colours") or []
    colours = defaultdict[int, set[object]](set)
    for k in chosen if of_option else ():
        named: dict[int, str] = dict(of_option[k])
        for item in problem["options"][k]:
            colours[item].add(named.get(item, k))
    return colours


def _score(problem: dict[str, Any], chosen: Sequence[int], *, set_cover: bool) -> int:
    """Return the negated cost of a cover, or the negated radius of a problem with distances."""
    if distances := problem.get("distances"):
        least: dict[int, int] = {}
        for k in chosen:
            for item, distance in zip(problem["options"][k], distances[k], strict=True):
                least[item] = min(distance, least.get(item, distance))
        return -max(least.values())
    costs = problem.get("costs") or [int(set_cover)] * len(problem["options"])
    return -int(sum(costs[k] for k in chosen))

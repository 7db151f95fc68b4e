"""Whether options are a cover of a problem, and whether it costs what its score says."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
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
    '1 2: item 1 is covered twice'
    >>> fault(problem, [("2", -8)], set_cover=False)
    '2: its score is -8 instead of -9'
    """
    problem: dict[str, Any] = json.loads(text)
    for cover, score in kept:
        chosen = list(map(int, cover.split()))
        if why := cover_fault(problem, chosen, set_cover=set_cover):
            return f"{cover}: {why}"
        if score is not None:
            expected = score_of(problem, chosen, set_cover=set_cover)
            if score != expected:
                return f"{cover}: its score is {score} instead of {expected}"
    return None


def cover_fault(problem: dict[str, Any], chosen: Sequence[int], *, set_cover: bool) -> str | None:
    """Return why options, numbered from 1, are no cover of a problem; None if they are one."""
    number_of_options = len(problem["options"])
    for number, uses in Counter(chosen).items():
        if not 1 <= number <= number_of_options:
            return f"there is no option {number}"
        if uses > 1:
            return f"option {number} occurs twice"
    if len(chosen) > problem.get("at_most", inf):
        return f"it has {len(chosen)} options"
    return next(_wrong_items(problem, chosen, set_cover=set_cover), None)


def _wrong_items(
    problem: dict[str, Any], chosen: Sequence[int], *, set_cover: bool
) -> Iterator[str]:
    primary, times = problem["items"], _times(problem, chosen)
    names = problem.get("names") or range(1, primary + problem["secondary"] + 1)
    usual = (1, inf) if set_cover or problem.get("set_cover") else (1, 1)
    wanted = problem.get("multiplicities") or repeat(usual, primary)
    secondaries = ((item, (0, 1)) for item in times if item > primary)
    for item, (least, most) in chain(enumerate(wanted, start=1), secondaries):
        if not least <= times[item] <= most:
            yield f"item {names[item - 1]} is {_count_fault(times[item], least, most)}"


def _times(problem: dict[str, Any], chosen: Sequence[int]) -> Counter[int]:
    """Return how often options cover each item; those that give it the same colour count once."""
    options, colours = problem["options"], problem.get("colours")
    if not colours:
        return Counter(item for number in chosen for item in options[number - 1])
    covered: set[tuple[int, object]] = set()
    for number in chosen:
        colour_of = {item: (colour,) for item, colour in colours[number - 1]}
        covered.update((item, colour_of.get(item, number)) for item in options[number - 1])
    return Counter(item for item, _ in covered)


def _count_fault(times: int, least: int, most: float) -> str:
    """Say that an item is covered too often, or not often enough.

    >>> _count_fault(0, 1, 1), _count_fault(2, 1, 1), _count_fault(1, 2, 3)
    ('not covered', 'covered twice', 'covered 1 time, not 2 to 3')
    """
    if most == 1 and times > 1:
        return "covered twice"
    if times == 0 and least == 1:
        return "not covered"
    wanted = least if least == most else f"{least} to {most}"
    return f"covered {times:,} {'time' if times == 1 else 'times'}, not {wanted}"


def score_of(problem: dict[str, Any], chosen: Sequence[int], *, set_cover: bool) -> int:
    """Return the negated cost of a cover, or the negated radius of a problem with distances."""
    if distances := problem.get("distances"):
        least: dict[int, int] = {}
        for k in chosen:
            for item, distance in zip(problem["options"][k - 1], distances[k - 1], strict=True):
                least[item] = min(distance, least.get(item, distance))
        return -max(least.values())
    default = int(set_cover or problem.get("set_cover", False))
    costs = problem.get("costs") or [default] * len(problem["options"])
    return -int(sum(costs[k - 1] for k in chosen))

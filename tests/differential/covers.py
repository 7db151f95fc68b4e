"""Random cover problems, as JSON texts."""

import json
import random
from typing import Any

from worker.options import Options

#: the greatest cost that a text may have
GREATEST = 10**9


def ordinary(chance: random.Random) -> tuple[str, Options]:
    """A small problem with secondary items, of which some covers are wanted."""
    return json.dumps(_small(chance)), _some(chance)


def coloured(chance: random.Random) -> tuple[str, Options]:
    """A small problem with colours, of which some covers are wanted, or the cheapest."""
    problem = _coloured(chance, _small(chance))
    if chance.random() < 0.5:
        return json.dumps(problem), _some(chance)
    return json.dumps(_with_costs(chance, problem)), _best(chance)


def cheapest(chance: random.Random) -> tuple[str, Options]:
    """A small problem whose cheapest covers are wanted."""
    return json.dumps(_with_costs(chance, _small(chance))), _best(chance)


def counted(chance: random.Random) -> tuple[str, Options]:
    """A problem whose covers are counted, with each option or not."""
    problem = _small(chance) if chance.random() < 0.5 else _planted(chance, 12, 40)
    if chance.random() < 0.3:
        problem = _coloured(chance, problem)
    return json.dumps(problem), _count(chance)


def planted(chance: random.Random) -> tuple[str, Options]:
    """A problem of up to 40 items and 200 options, whose cheapest covers are wanted."""
    problem = _planted(chance, chance.randint(8, 40), chance.randint(20, 200))
    if chance.random() < 0.2:
        problem = _coloured(chance, problem)
    return json.dumps(_with_costs(chance, problem)), _best(chance, most=3)


def multiple(chance: random.Random) -> tuple[str, Options]:
    """A small problem with multiplicities: some covers, the cheapest, or a count."""
    problem = _small(chance)
    if chance.random() < 0.3:
        problem = _coloured(chance, problem)
    problem["multiplicities"] = [
        [least, max(1, least + chance.choice((0, 0, 1, 2, 9)))]
        for least in chance.choices((0, 1, 1, 2, 3), k=problem["items"])
    ]
    kind = chance.random()
    if kind < 0.4:
        return json.dumps(problem), _some(chance)
    if kind < 0.6:
        return json.dumps(problem), _count(chance)
    return json.dumps(_with_costs(chance, problem)), _best(chance)


def planted_multiple(chance: random.Random) -> tuple[str, Options]:
    """A problem of up to 20 items that are covered several times, at least cost."""
    problem = _planted(chance, chance.randint(4, 20), chance.randint(20, 60))
    problem["multiplicities"] = [
        [least, max(1, least + chance.choice((0, 1, 3)))]
        for least in chance.choices((0, 1, 2, 3), k=problem["items"])
    ]
    return json.dumps(_with_costs(chance, problem)), _best(chance, most=3)


def set_covers(chance: random.Random) -> tuple[str, Options]:
    """A small set cover: the cheapest, or all within a cost."""
    problem = _small(chance)
    if chance.random() < 0.3:
        problem = _coloured(chance, problem)
    return json.dumps(_perhaps_with_costs(chance, problem)), _overlapping(chance)


def planted_set_covers(chance: random.Random) -> tuple[str, Options]:
    """A set cover of up to 40 items and 100 options, whose cheapest covers are wanted."""
    problem = _planted(chance, chance.randint(8, 40), chance.randint(20, 100))
    keep = chance.choice((1, 1, 1, 2, 3))
    text = json.dumps(_perhaps_with_costs(chance, problem))
    return text, Options(set_cover=True, keep=keep)


def _small(chance: random.Random) -> dict[str, Any]:
    primary, secondary = chance.randint(0, 6), chance.choice((0, 0, 1, 2, 3))
    items = range(1, primary + secondary + 1)
    lengths = [chance.randint(0, min(len(items), 4)) for _ in range(chance.randint(0, 12))]
    options = [chance.sample(items, length) for length in lengths]
    return {"items": primary, "secondary": secondary, "options": options}


def _planted(chance: random.Random, primary: int, count: int) -> dict[str, Any]:
    """A problem with a cover without secondary items, among other options."""
    secondary = chance.choice((0, 0, primary // 4))
    order = chance.sample(range(1, primary + 1), primary)
    options, most = [], chance.choice((3, 4, 6))
    while order:
        size = chance.randint(1, most)
        options.append(order[:size])
        del order[:size]
    items = range(1, primary + secondary + 1)
    options += [
        [chance.randint(1, primary)]
        if len(items) < 2
        else chance.sample(items, chance.randint(1, min(most, len(items))))
        for _ in range(count)
    ]
    chance.shuffle(options)
    return {"items": primary, "secondary": secondary, "options": options}


def _coloured(chance: random.Random, problem: dict[str, Any]) -> dict[str, Any]:
    """The problem with one of three colours, or none, for each secondary item of each option."""
    hues = chance.choice((["A", "B"], ["A", "B", "C", None]))
    drawn = [
        [[item, chance.choice(hues)] for item in option if item > problem["items"]]
        for option in problem["options"]
    ]
    return problem | {"colours": [[pair for pair in pairs if pair[1]] for pairs in drawn]}


def _with_costs(chance: random.Random, problem: dict[str, Any]) -> dict[str, Any]:
    most = chance.choice((0, 1, 9, 100, 10**6, GREATEST))
    return problem | {"costs": [chance.randint(0, most) for _ in problem["options"]]}


def _perhaps_with_costs(chance: random.Random, problem: dict[str, Any]) -> dict[str, Any]:
    return problem if chance.random() < 0.3 else _with_costs(chance, problem)


def _some(chance: random.Random) -> Options:
    limit = chance.choice((1, 2, 3, 50, None))
    return Options(limit, keep=chance.choice((1, 2, 5, 3000)))


def _best(chance: random.Random, most: int = 3000) -> Options:
    keep = min(most, chance.choice((1, 1, 2, 3, 5, 3000)))
    return Options(target=True, keep=keep, every=most > 3 and chance.random() < 0.2)


def _count(chance: random.Random) -> Options:
    sample, per_option = chance.choice((0, 0, 5)), chance.random() < 0.5
    return Options(None, count=True, sample=sample, seed=1, per_option=per_option)


def _overlapping(chance: random.Random) -> Options:
    at_most = chance.choice((None, None, 3, 20, 10**9))
    limit = 2 if at_most is None else chance.choice((1, 2, 5, None))
    return Options(limit, set_cover=True, at_most=at_most, keep=chance.choice((1, 2, 5, 3000)))

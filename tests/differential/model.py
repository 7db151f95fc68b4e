"""What the independent solvers solve: a puzzle's text as options to choose from.

Nothing here uses Bullseye's readers or translators.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any, NamedTuple

from tests.sudoku import SYMBOLS, box_of
from worker.options import Options

#: a set of options, numbered from 0
Chosen = frozenset[int]


class Model(NamedTuple):
    """Choose options so that every item occurs as often as its bounds say."""

    options: Sequence[Sequence[int]]  #: the items of each option, from 0
    bounds: Sequence[tuple[int, float]]  #: of each item: how often it occurs at least and at most
    candidates: Sequence[int]  #: the options that may be chosen
    values: Sequence[int]  #: of each option; a solution is worth the sum
    colours: Mapping[tuple[int, int], str]  #: of options and items; those of one colour agree
    minimal: bool = False  #: no option may be superfluous
    cost_limit: float = inf  #: the values of a solution are together at least the negated limit

    @property
    def coloured(self) -> set[int]:
        """The items to which some option gives a colour."""
        return {item for _, item in self.colours}

    def users(self) -> dict[int, list[int]]:
        """Return the candidates of each item that has any."""
        users = defaultdict[int, list[int]](list)
        for option in self.candidates:
            for item in self.options[option]:
                users[item].append(option)
        return users

    def limits(self) -> Iterator[tuple[list[int], int, float]]:
        """Yield the candidates of each item without colours, and its bounds."""
        users, coloured = self.users(), self.coloured
        for item, (least, most) in enumerate(self.bounds):
            if item not in coloured:
                yield users.get(item, []), least, most

    def exclusions(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of candidates that do not agree in the colour of an item."""
        users = self.users()
        for item in self.coloured:
            for one, two in combinations(users.get(item, ()), 2):
                colour = self.colours.get((one, item))
                if colour is None or colour != self.colours.get((two, item)):
                    yield one, two

    def value(self, chosen: Chosen) -> int:
        """Return what a solution is worth."""
        return sum(self.values[option] for option in chosen)

    def is_solution(self, chosen: Chosen) -> bool:
        """Return whether these options satisfy all conditions."""
        if not chosen <= set(self.candidates) or -self.value(chosen) > self.cost_limit:
            return False
        return self._is_cover(chosen) and not (
            self.minimal and any(self._is_cover(chosen - {option}) for option in chosen)
        )

    def without_superfluous(self, chosen: Chosen) -> Chosen:
        """Return what is left of a cover after options were left out one by one, if possible."""
        for option in sorted(chosen):
            if self._is_cover(chosen - {option}):
                chosen -= {option}
        return chosen

    def _is_cover(self, chosen: Chosen) -> bool:
        counted = all(
            least <= len(chosen & set(users)) <= most for users, least, most in self.limits()
        )
        return counted and not any({one, two} <= chosen for one, two in self.exclusions())


def model_of(text: str, options: Options) -> Model:
    """Return the model of a grid or of the JSON text of a cover problem."""
    return _cover(json.loads(text), options) if text.startswith("{") else _grid(text, options)


def chosen_by(text: str, solution: str) -> Chosen:
    """Return the options that a solution of a puzzle consists of."""
    if text.startswith("{"):
        return frozenset(int(number) - 1 for number in solution.split())
    side = round(len(text) ** 0.5)
    return frozenset(side * cell + SYMBOLS.index(symbol) for cell, symbol in enumerate(solution))


def _grid(text: str, options: Options) -> Model:
    """A symbol in each cell, each symbol in each row, column and box."""
    side, area = round(len(text) ** 0.5), len(text)
    places = [(cell, value) for cell in range(area) for value in range(side)]
    items = [_units(side, cell, value) for cell, value in places]
    clues = {
        side * cell + SYMBOLS.index(symbol) for cell, symbol in enumerate(text) if symbol != "."
    }
    taken = {item: clue for clue in clues for item in items[clue]}
    candidates = [
        option
        for option, of_option in enumerate(items)
        if all(taken.get(item, option) == option for item in of_option)
    ]
    weights = _weights(side, options)
    values = [weights[cell] * (value + 1) for cell, value in places]
    return Model(items, [(1, 1)] * (4 * area), candidates, values, {})


def _units(side: int, cell: int, value: int) -> list[int]:
    row, column = divmod(cell, side)
    units = (row, column, box_of(side, row, column))
    return [cell, *((kind * side + unit) * side + value for kind, unit in enumerate(units, 1))]


def _weights(side: int, options: Options) -> Sequence[int]:
    if not options.target:
        return [0] * side**2
    last = side - 1
    rings = [6 + min(y, x, last - y, last - x) for y in range(side) for x in range(side)]
    return options.weights or rings


def _cover(problem: dict[str, Any], asked: Options) -> Model:
    """Options as the text lists them; an option without a primary item is never chosen."""
    primary, options = problem["items"], problem["options"]
    is_set_cover = asked.set_cover or problem.get("set_cover", False)
    usual = (1, inf) if is_set_cover else (1, 1)
    bounds = problem.get("multiplicities") or [usual] * primary
    costs = problem.get("costs") or [int(is_set_cover)] * len(options)
    colours = {
        (option, item - 1): colour
        for option, pairs in enumerate(problem.get("colours") or ())
        for item, colour in pairs
    }
    return Model(
        options=[[item - 1 for item in option] for option in options],
        bounds=[*map(tuple, bounds), *[(0, 1)] * problem.get("secondary", 0)],
        candidates=[k for k, option in enumerate(options) if min(option, default=inf) <= primary],
        values=[-cost for cost in costs],
        colours=colours,
        minimal=is_set_cover,
        cost_limit=inf if asked.at_most is None else asked.at_most,
    )

#!/usr/bin/env python3
"""Check proofs that `bullseye prove` wrote, with nothing but Python's standard library.

    python check.py FILE...

Exit codes: 0 everything is proven; 1 a proof is wrong; 65 a file is not a proof.

A proof states an exact cover problem, a claim, and the item of each branch. An option is a set of
items. A cover is a set of options that has each primary item once, and each secondary item at most
once, or more often in options that all give it the same colour. The items of a sudoku are "row 1,
column 2 is filled" (r1c2), "row 1 has a 5" (r1=5), and the same for columns (c1=5) and boxes
(b1=5); its options are the symbols of the cells. The options left are the bits of an integer.

single   An item has one option left: it is chosen, and those that clash with it go.
dead     An item has no option left: there is no cover here.
budget   An option that costs more than what is left of the budget goes.
branch   None of these applies: the proof names an item, and each of its options is tried.
known    The options left were left before: there are as many covers as there were then.
"""

import json
import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache
from math import isqrt
from pathlib import Path
from typing import NamedTuple

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"


class WrongProof(Exception):
    """A proof does not prove what it claims."""


class Problem(NamedTuple):
    """An exact cover problem; items and options count from 0."""

    items: Sequence[str]  # their names, the primary items first
    primary: int  # number of primary items
    options: Sequence[Sequence[int]]  # items of each option; none has only secondary items
    colours: Sequence[dict[int, str]]  # of each option: the colours of its coloured items
    scores: Sequence[int]  # of each option; a cover scores what its options score together


def check(text: str) -> str:
    """Return what a proof proves; raise WrongProof if it does not, ValueError if it is no proof."""
    first, *lines = text.split("\n")[:-1] or [""]
    given = {key: value for key, _, value in (line.partition(" ") for line in lines)}
    claim = {"solutions"} if "solutions" in given else {"best", "solution", "multipliers"}
    required = {"sudoku" if "sudoku" in given else "cover", "trace"} | claim
    if first != "bullseye proof 1" or not text.endswith("\n") or len(given) != len(lines):
        raise ValueError("the first line is not 'bullseye proof 1', or the end is missing")
    if set(given) - {"weights"} != required:
        raise ValueError(f"its lines are {', '.join(given)}")
    try:
        problem = sudoku(given) if "sudoku" in given else exact_cover(given["cover"])
        return count(problem, given) if "solutions" in given else best(problem, given)
    except (KeyError, ValueError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"a line is malformed: {error}") from error


def count(problem: Problem, given: dict[str, str]) -> str:
    """Raise WrongProof unless a problem has as many solutions as claimed."""
    found = Search(problem, [0] * len(problem.options), given["trace"]).covers(0)
    if found != int(given["solutions"]):
        raise WrongProof(f"the branches have {found} solutions, not {given['solutions']}")
    return f"proven: {found} solution{'s' * (found != 1)}"


def best(problem: Problem, given: dict[str, str]) -> str:
    """Raise WrongProof unless a problem has the solution and no better one.

    There is a multiplier for each primary item. A cover has each of these items once. So it scores
    the sum of the multipliers less the reduced costs of its options, all in parts of a point.
    """
    parts, *multipliers = map(int, given["multipliers"].split())
    score, bound = int(given["best"]), sum(multipliers)
    if parts < 1 or len(multipliers) != problem.primary:
        raise ValueError("it does not have one multiplier for each primary item")
    of_item = dict(enumerate(multipliers))
    cost = [
        sum(of_item.get(item, 0) for item in items) - parts * points
        for items, points in zip(problem.options, problem.scores, strict=True)
    ]
    search = Search(problem, cost, given["trace"])
    if bound - search.cost_of_cover(given["solution"]) != parts * score:
        raise WrongProof(f"its solution does not score {score}")
    if found := search.covers(bound - parts * (score + 1)):
        raise WrongProof(f"the branches have {found} better solutions")
    return f"proven: the best score is {score}"


def sudoku(given: dict[str, str]) -> Problem:
    """Return a grid as an exact cover problem, with an option for each symbol of each cell."""
    grid = given["sudoku"]
    weights = map(int, given["weights"].split()) if "weights" in given else [0] * len(grid)
    side = isqrt(len(grid))
    symbols, lines = SYMBOLS[:side], range(1, side + 1)
    if not grid or len(symbols) ** 2 != len(grid) or not set(grid) <= {".", *symbols}:
        raise ValueError("the sudoku is not a grid")
    height = max(height for height in range(1, isqrt(side) + 1) if side % height == 0)
    cells = [(row, column) for row in lines for column in lines]
    items = [f"r{row}c{column}" for row, column in cells]
    items += [f"{unit}{line}={s}" for unit in "rcb" for line in lines for s in symbols]
    number, options = {name: item for item, name in enumerate(items)}, []
    for (row, column), clue in zip(cells, grid, strict=True):
        box = (row - 1) // height * height + (column - 1) * height // side + 1
        for s in symbols:
            names = f"r{row}c{column}", f"r{row}={s}", f"c{column}={s}", f"b{box}={s}"
            options.append([number[name] for name in names] if clue in {".", s} else [])
    scores = [weight * value for weight in weights for value in lines]
    return Problem(items, len(items), options, [{}] * len(options), scores)


def exact_cover(text: str) -> Problem:
    """Return the problem of a JSON text, in which items count from 1 and options may have costs."""
    given = json.loads(text, parse_float=int, parse_constant=int)
    primary, options = given["items"], given["options"]
    items = range(1, primary + given.get("secondary", 0) + 1)
    colours = [dict(pairs) for pairs in given.get("colours", [()] * len(options))]
    if set(given) - {"items", "secondary", "options", "costs", "colours", "names"}:
        raise ValueError("its problem is not an exact cover")
    if not 0 <= primary <= len(items) <= 10**6 or any(len(k) > len(set(k)) for k in options):
        raise ValueError("it has too many items, or an option that has an item twice")
    if any(item not in items for some in options for item in some):
        raise ValueError("an option has an item that does not exist")
    if any(type(colour) is not str for some in colours for colour in some.values()):
        raise ValueError("a colour is not a text")
    useful = [[k - 1 for k in some] if any(k <= primary for k in some) else [] for some in options]
    shifted = [{k - 1: c for k, c in some.items() if k > primary} for some in colours]
    costs = given.get("costs", [0] * len(options))
    return Problem(list(map(str, items)), primary, useful, shifted, [-cost for cost in costs])


class Search:
    """The tree of a proof, whose branches are read one by one from its trace."""

    def __init__(self, problem: Problem, cost: list[int], trace: str) -> None:
        self.problem, self.cost, self.names = problem, cost, iter(trace.split())
        self.number = {name: item for item, name in enumerate(problem.items[: problem.primary])}
        self.having = [0] * len(problem.items)
        for option, items in enumerate(problem.options):
            for item in items:
                self.having[item] |= 1 << option
        self.by_cost = sorted(range(len(cost)), key=cost.__getitem__)
        self.costs, self.unlimited = sorted(cost), sum(map(abs, cost))
        self.branches = 1  # the number of the next one
        self.known: dict[tuple[int, int], int] = {}
        self.cheapest = cache(lambda number: sum(1 << k for k in self.by_cost[:number]))
        self.agreeing = cache(self._agreeing)
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + problem.primary))

    def cost_of_cover(self, solution: str) -> int:
        """Return what a cover costs, given as a grid or by the numbers of its options from 1."""
        if self.problem.items[:1] == ["r1c1"]:
            side = isqrt(len(solution))
            numbers = {k * side + SYMBOLS.index(symbol) for k, symbol in enumerate(solution)}
        else:
            numbers = {int(number) - 1 for number in solution.split()}
        chosen = sum(1 << option for option in range(len(self.cost)) if option in numbers)
        _, items, rest = self.propagate(chosen, range(self.problem.primary), self.unlimited)
        if items or rest < 0:
            raise WrongProof("its solution is not a cover")
        return self.unlimited - rest

    def covers(self, budget: int) -> int:
        """Return the number of covers that cost at most `budget`."""
        every = sum(1 << option for option, items in enumerate(self.problem.options) if items)
        left, items, rest = self.propagate(every, range(self.problem.primary), self.unlimited)
        if any(self.cost[option] < 0 for option in bits(left)):
            raise WrongProof("the multipliers give an option a negative cost")
        found = self.covers_of(left, items, budget - self.unlimited + rest) if rest >= 0 else 0
        if (name := next(self.names, None)) is not None:
            raise WrongProof(f"branch {name} comes after the last")
        return found

    def covers_of(self, left: int, items: Sequence[int], budget: int) -> int:
        """Return the number of covers of these items by the options that are left."""
        left, items, budget = self.propagate(left, items, budget)
        if budget < 0 or not items:
            return int(budget >= 0)
        if (left, budget) not in self.known:
            name = next(self.names, "missing")
            if (item := self.number.get(name, -1)) not in items:
                raise WrongProof(f"branch {self.branches} is {name}, not an open item")
            self.branches += 1
            after = [left & self.agreeing(option) for option in bits(left & self.having[item])]
            self.known[left, budget] = sum(self.covers_of(some, items, budget) for some in after)
        return self.known[left, budget]

    def propagate(self, left: int, items: Sequence[int], budget: int) -> tuple[int, list[int], int]:
        """Apply the rules single, dead and budget as often as they apply.

        Return the options left for open items, these items, and the budget, below 0 if one is dead.
        """
        chosen = 0
        while True:
            before, still_open = left, []
            left &= self.cheapest(bisect_right(self.costs, budget)) | chosen
            for item in items:
                having = left & self.having[item]
                if not having:
                    return 0, [], -1
                if having & (having - 1):
                    still_open.append(item)
                elif not having & chosen:
                    chosen |= having
                    left &= self.agreeing(having.bit_length() - 1)
                    budget -= self.cost[having.bit_length() - 1]
            if budget < 0 or (left == before and len(still_open) == len(items)):
                return left & ~chosen, still_open, budget
            items = still_open

    def _agreeing(self, option: int) -> int:
        """Return the options that do not clash with one, and itself."""
        agreeing, colours = ~0, self.problem.colours
        for item in self.problem.options[option]:
            clashing = self.having[item]
            for other in bits(clashing) if item in colours[option] else ():
                clashing ^= (colours[other].get(item) == colours[option][item]) << other
            agreeing &= ~clashing
        return agreeing | 1 << option


def bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, the lowest first."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def main(files: Sequence[str]) -> int:
    """Check files, print a line for each, and return the exit code."""
    codes = [0]
    for file in files:
        try:
            print(f"{file}: {check(Path(file).read_text('utf-8'))}")
        except (WrongProof, ValueError, OSError) as error:
            print(f"{file}: not proven: {error}", file=sys.stderr)
            codes.append(1 if isinstance(error, WrongProof) else 65)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

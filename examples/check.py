#!/usr/bin/env python3
"""Check proofs that `bullseye prove` wrote, with nothing but Python's standard library.

    python check.py FILE...

Exit codes: 0 no proof is wrong; 1 a proof is wrong; 65 a file is not a proof.

A proof states an exact cover problem, a claim, and what shows it. An option is a set of items. A
cover is a set of options that has each primary item once, and each secondary item at most once, or
more often in options that all give it the same colour. The items of a sudoku are "row 1, column 2
is filled" (r1c2), "row 1 has a 5" (r1=5), and the same for columns (c1=5) and boxes (b1=5); its
options are the symbols of the cells. A set of options is an integer, in which option k is bit k.

single   An item has one option left: it is chosen, and those that clash with it go.
dead     An item has no option left: there is no cover here.
budget   If no option has a negative cost, those that cost more than what is left of the budget go.
branch   None of these applies: the proof names an item, and each of its options is tried.
known    The options left were left before: there are as many covers as there were then.
part     The covers with all options of a path, but none that follows it in a longer path. As those
         that follow it clash with each other, each cover is in exactly one part. The covers of a
         part are counted again; then a branch is on an item with the fewest options.
"""

import gzip
import json
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, reduce
from itertools import product
from math import inf, isqrt
from operator import or_
from pathlib import Path
from typing import Any

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
MALFORMED = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
Option = dict[str, str | None]  # its items, and the colours that it gives them
Steps = tuple[int, ...]  # a path: the numbers of options, from 1


class WrongProof(Exception):
    """A proof does not prove what it claims."""


class Problem:
    """An exact cover problem, whose options count from 0, and the search for its covers."""

    def __init__(self, items: list[str], primary: int, options: list[Option]) -> None:
        self.items, self.primary, self.options = items, items[:primary], options
        self.scores = self.cost = [0] * len(options)
        self.allowed = 0  # the options that may be chosen
        self.having = dict.fromkeys(items, 0)  # of each item, the options that have it
        self.alike: dict[tuple[str, str | None], int] = defaultdict(int)  # with the same colour
        for option, colours in enumerate(options):
            for item, colour in colours.items():
                self.having[item] |= 1 << option
                if colour is not None:
                    self.alike[item, colour] |= 1 << option
        self.agreeing, self.within = cache(self._agreeing), cache(self._within)
        self.known: dict[tuple[int, float], int] = {}
        self.trace: Iterator[str] | None = None
        self.deadline = inf
        sys.setrecursionlimit(max(sys.getrecursionlimit(), 1000 + primary))

    def _agreeing(self, option: int) -> int:
        """Return the options that do not clash with one."""
        pairs = self.options[option].items()
        return ~reduce(or_, (self.having[item] & ~self.alike[item, c] for item, c in pairs), 0)

    def _within(self, budget: float) -> int:
        """Return the options that cost at most a budget."""
        return sum(1 << option for option, cost in enumerate(self.cost) if cost <= budget)

    def traced(self, trace: str, budget: float = inf) -> int:
        """Return the number of covers within a budget, by the branches of a trace."""
        self.trace = iter(trace.split())
        found = self.covers(self.allowed, budget)
        if (name := next(self.trace, None)) is not None:
            raise WrongProof(f"branch {name} comes after the last")
        return found

    def covers(self, left: int, budget: float = inf, items: Sequence[str] | None = None) -> int:
        """Return the number of covers of items within a budget, by the options that are left."""
        items = self.primary if items is None else items
        if not items:
            return int(budget >= 0)
        if not left & self.within(-1):
            left &= self.within(budget)
        forced = next((item for item in items if (left & self.having[item]).bit_count() < 2), None)
        if forced is None and (left, budget) in self.known:
            return self.known[left, budget]
        found = 0
        for option in bits(left & self.having[forced or self.branch(left, items)]):
            others = [item for item in items if item not in self.options[option]]
            found += self.covers(left & self.agreeing(option), budget - self.cost[option], others)
        if forced is None:
            self.known[left, budget] = found
        return found

    def branch(self, left: int, items: Sequence[str]) -> str:
        """Return the item of the next branch."""
        if self.trace is None:
            if time.monotonic() > self.deadline:
                raise TimeoutError
            return min(items, key=lambda item: (left & self.having[item]).bit_count())
        if (name := next(self.trace, "nothing")) not in items:
            raise WrongProof(f"it branches on {name}, not on an open item")
        return name


def check(text: str, **recount: Any) -> str:
    """Return what a proof proves; raise WrongProof if it does not, ValueError if it is no proof.

    `recount` are the arguments of `divided`, for a proof with parts.
    """
    head, *parts = text.removesuffix("\n").split("\npart ")
    first, *lines = head.split("\n")
    given = {key: value for key, _, value in (line.partition(" ") for line in lines)}
    if first != "bullseye proof 1" or not text.endswith("\n") or len(given) != len(lines):
        raise ValueError("the first line is not 'bullseye proof 1', or the end is missing")
    if ("sudoku" in given) == ("cover" in given) or ("best" in given) == ("solutions" in given):
        raise ValueError(f"its lines are {', '.join(given)}")
    try:
        problem = sudoku(given) if "sudoku" in given else exact_cover(given["cover"])
        if "best" in given:
            return best(problem, given)
        return divided(problem, given, parts, **recount) if parts else count(problem, given)
    except MALFORMED as error:
        raise ValueError(f"a line is malformed: {error}") from error


def count(problem: Problem, given: dict[str, str]) -> str:
    """Raise WrongProof unless a problem has as many solutions as claimed."""
    number = int(given["solutions"].removesuffix(" or more"))
    if given["solutions"].endswith(" or more"):
        if problem.covers(problem.allowed & shown(given)) < number:
            raise WrongProof(f"it does not show {number} solutions")
    elif (found := problem.traced(given["trace"])) != number:
        raise WrongProof(f"the branches have {found} solutions, not {number}")
    return f"proven: {given['solutions']} solution{'s' * (given['solutions'] != '1')}"


def best(problem: Problem, given: dict[str, str]) -> str:
    """Raise WrongProof unless a problem has the solution and no better one.

    There is a multiplier for each primary item. A cover has each of these items once. So it scores
    the sum of the multipliers less the reduced costs of its options, all in parts of a point.
    """
    parts, *multipliers = map(int, given["multipliers"].split())
    multiplier = defaultdict(int, zip(problem.primary, multipliers, strict=True))
    of_options = [sum(multiplier[item] for item in items) for items in problem.options]
    problem.cost = [n - parts * m for n, m in zip(of_options, problem.scores, strict=True)]
    score = int(given["best"])
    budget = sum(multipliers) - parts * score
    if parts < 1 or not problem.covers(problem.allowed & shown(given), budget):
        raise WrongProof(f"its solution does not score {score}")
    if found := problem.traced(given["trace"], budget - parts):
        raise WrongProof(f"the branches have {found} better solutions")
    return f"proven: the best score is {score}"


def divided(
    problem: Problem,
    given: dict[str, str],
    parts: list[str],
    sample: int | None = None,
    seed: int | None = None,
    seconds: float = 60.0,
    counter: Callable[[Problem, int], int] = Problem.covers,
) -> str:
    """Raise WrongProof unless the parts of a search together have as many solutions as claimed.

    A part has a number of solutions, the number of nodes of its search, and a path. A sample of the
    parts, or all, are counted again in random order, until the time is over.
    """
    rows = [list(map(int, part.split())) for part in parts]
    claimed = {tuple(path): solutions for solutions, _, *path in rows}
    number, counted = int(given["solutions"]), 0
    if len(claimed) != len(rows) or sum(claimed.values()) != number:
        raise WrongProof(f"the parts do not have {number} solutions, or two have the same path")
    left = partition(problem, claimed)
    order = random.Random(seed).sample(sorted(claimed), len(claimed))  # noqa: S311 # no secret
    problem.deadline = time.monotonic() + seconds
    with suppress(TimeoutError):
        for path in order[:sample]:
            if (found := sum(counter(problem, some) for some in left[path])) != claimed[path]:
                raise WrongProof(f"part {path} has {found} solutions, not {claimed[path]}")
            counted += 1
    if counted == len(claimed):
        return f"proven: {number} solution{'s' * (number != 1)}"
    return f"{number} solutions in {len(claimed)} parts, {counted} of them counted again"


def partition(problem: Problem, parts: Iterable[Steps]) -> dict[Steps, list[int]]:
    """Return the sets of options whose covers make up each part; raise WrongProof if two overlap.

    A part has a set for its path, and one for each longer path that is not that of a part itself.
    """
    following: dict[Steps, int] = defaultdict(int)
    for path in parts:
        for depth, option in enumerate(path):
            following[path[:depth]] |= 1 << option - 1
    found: dict[Steps, list[int]] = {path: [] for path in parts}
    paths: list[tuple[Steps, Steps, int]] = [((), (), problem.allowed)]
    for path, part, left in paths:
        found[part].append(left & ~following[path])
        for option in bits(following[path]):
            longer, after = (*path, option + 1), left & problem.agreeing(option)
            if after & following[path] or not left >> option & 1:
                raise WrongProof(f"path {longer} does not exist, or overlaps with another")
            paths.append((longer, longer if longer in found else part, after | 1 << option))
    return found


def sudoku(given: dict[str, str]) -> Problem:
    """Return a grid as an exact cover problem, with an option for each symbol of each cell."""
    grid = given["sudoku"]
    side = isqrt(len(grid))
    symbols, lines = SYMBOLS[:side], range(1, side + 1)
    if not grid or len(symbols) ** 2 != len(grid) or not set(grid) <= {".", *symbols}:
        raise ValueError("the sudoku is not a grid")
    height = max(height for height in range(1, isqrt(side) + 1) if side % height == 0)
    cells, options = list(product(lines, lines)), list[Option]()
    items = [f"r{row}c{column}" for row, column in cells]
    items += [f"{unit}{line}={s}" for unit in "rcb" for line in lines for s in symbols]
    for row, column in cells:
        box = (row - 1) // height * height + (column - 1) * height // side + 1
        units = f"r{row}", f"c{column}", f"b{box}"
        options += [
            dict.fromkeys([f"r{row}c{column}", *(f"{u}={s}" for u in units)]) for s in symbols
        ]
    problem = Problem(items, len(items), options)
    if "weights" in given:
        weights = map(int, given["weights"].split())
        problem.scores = [weight * value for weight in weights for value in lines]
    agreeing = (clue in {".", s} for clue in grid for s in symbols)
    problem.allowed = sum(1 << option for option, agrees in enumerate(agreeing) if agrees)
    return problem


def exact_cover(text: str) -> Problem:
    """Return the problem of a JSON text, in which items count from 1 and options may have costs."""
    given = json.loads(text, parse_float=int, parse_constant=int)
    if set(given) - {"items", "secondary", "options", "costs", "colours", "names"}:
        raise ValueError("its problem is not an exact cover")
    primary, all_items = given["items"], given["items"] + given.get("secondary", 0)
    if not 0 <= primary <= all_items <= 10**6:
        raise ValueError("it has too many items")
    options: list[Option] = [dict.fromkeys(map(str, items)) for items in given["options"]]
    for option, colours in zip(options, given.get("colours", ()), strict=False):
        named = {str(item): colour for item, colour in colours if item > primary}
        option.update({item: named[item] for item in named.keys() & option})
    problem = Problem([str(k + 1) for k in range(all_items)], primary, options)
    problem.scores = [-cost for cost in given.get("costs", problem.scores)]
    useful = (min(items, default=inf) <= primary for items in given["options"])
    problem.allowed = sum(1 << option for option, is_useful in enumerate(useful) if is_useful)
    return problem


def shown(given: dict[str, str]) -> int:
    """Return the options of the solutions that a proof shows."""
    words = given["solution"].split()
    if "cover" in given:
        return sum({1 << int(word) - 1 for word in words})
    side = isqrt(len(words[0]))
    return sum({1 << k * side + SYMBOLS.index(s) for word in words for k, s in enumerate(word)})


def bits(number: int) -> Iterator[int]:
    """Yield the positions of the bits that are set, the lowest first."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def main(files: Sequence[str], **recount: Any) -> int:
    """Check files, print a line for each, and return the exit code; see `check`."""
    codes = [0]
    for file in files:
        try:
            packed = Path(file).read_bytes()
            text = gzip.decompress(packed) if packed.startswith(b"\x1f\x8b") else packed
            print(f"{file}: {check(text.decode(), **recount)}")
        except (WrongProof, ValueError, OSError, EOFError) as error:
            print(f"{file}: not proven: {error}", file=sys.stderr)
            codes.append(1 if isinstance(error, WrongProof) else 65)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

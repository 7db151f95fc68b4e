#!/usr/bin/env python3
"""Check proofs that `bullseye prove` wrote, with nothing but Python's standard library.

    python check.py FILE...

Exit codes: 0 no proof is wrong; 1 a proof is wrong; 65 a file is not a proof, or takes too long.

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

import json
import random
import re
import sys
import time
import zlib
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from math import inf, isqrt
from operator import or_
from pathlib import Path
from typing import Any

SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
FORMS = "(sudoku weights|cover) best solution multipliers trace"
FORMS += "|(sudoku|cover) solutions (trace|solution|part)"
MAX_TEXT, MAX_BITS = 2**24, 2**33  # the longest text, and the bits of all sets together
MALFORMED = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
Option = dict[str, str | None]  # its items, and the colours that it gives them
Steps = tuple[int, ...]  # a path: the numbers of options, from 1
State = tuple[int, float, list[str]]  # the options left, the budget left, and the open items


class WrongProof(Exception):
    """A proof does not prove what it claims."""


class Problem:
    """An exact cover problem, whose options count from 0, and the search for its covers."""

    def __init__(
        self, items: list[str], primary: int, options: list[Option], deadline: float = inf
    ) -> None:
        self.items, self.primary, self.options = items, items[:primary], options
        self.scores = self.cost = [0] * len(options)
        self.allowed = 0  # the options that may be chosen
        self.bits, self.deadline = 0, deadline
        having: dict[str, list[int]] = {item: [] for item in items}
        alike: dict[tuple[str, str | None], list[int]] = {}
        for option, colours in enumerate(options):
            self.spend()
            for item, colour in colours.items():
                having[item].append(option)
                if colour is not None:
                    alike.setdefault((item, colour), []).append(option)
        self.spend(len(options) * (len(having) + len(alike)))
        self.having = {item: self.union(some) for item, some in having.items()}
        self.alike = {pair: self.union(some) for pair, some in alike.items()}
        self.agreeing, self.within = lru_cache(999)(self._agreeing), lru_cache(999)(self._within)

    def spend(self, bits: int = 0) -> None:
        """Raise MemoryError if the sets have too many bits, and TimeoutError at the deadline."""
        self.bits += bits
        if self.bits > MAX_BITS or time.monotonic() > self.deadline:
            raise MemoryError("too large") if self.bits > MAX_BITS else TimeoutError

    def number(self, text: str, digits: int = 30) -> int:
        """Return an integer, which must be written as Python writes it."""
        self.spend()
        if len(text) > digits or str(int(text)) != text:
            raise ValueError(f"{text[:40]!r} is not an integer, or too long")
        return int(text)

    def union(self, options: Iterable[int]) -> int:
        """Return the set of some options."""
        self.spend()
        found, every = bytearray(len(self.options) // 8 + 1), range(len(self.options))
        for option in options:
            found[every.index(option) >> 3] |= 1 << (option & 7)
        return int.from_bytes(found, "little")

    def _agreeing(self, option: int) -> int:
        """Return the options that do not clash with one."""
        pairs = self.options[option].items()
        return ~reduce(or_, (self.having[i] & ~self.alike.get((i, c), 0) for i, c in pairs), 0)

    def _within(self, budget: float) -> int:
        """Return the options that cost at most a budget."""
        return self.union(option for option, cost in enumerate(self.cost) if cost <= budget)

    def covers(self, left: int, budget: float = inf, trace: str | None = None) -> int:
        """Return the number of covers by the options left, by the branches of a trace if given."""
        self.known: dict[tuple[int, float], int] = {}
        self.names = None if trace is None else [*reversed(trace.split())]
        found: Any = None
        path = [self._covers(left, budget, self.primary)]
        while path:  # each search but the last waits for the next one
            try:
                path.append(self._covers(*path[-1].send(found)))
                found = None
            except StopIteration as end:
                found = path.pop() and end.value
        if self.names:
            raise WrongProof(f"branch {self.names[-1][:40]} comes after the last")
        return int(found)

    def _covers(self, left: int, budget: float, items: list[str]) -> Generator[State, int, int]:
        """Return the number of covers; yield what each option leaves, to be sent its number."""
        if not items:
            return int(budget >= 0)
        if not left & self.within(-1):
            left &= self.within(budget)
        name = next((item for item in items if (left & self.having[item]).bit_count() < 2), None)
        if not (is_forced := name is not None):
            if (left, budget) in self.known:
                return self.known[left, budget]
            if self.names is None:
                name = min(items, key=lambda item: (left & self.having[item]).bit_count())
            elif (name := self.names.pop() if self.names else "nothing") not in items:
                raise WrongProof(f"it branches on {name[:40]}, not on an open item")
        self.spend(room := 8000 + 64 * len(items))
        found, options = 0, left & self.having[name]
        while options:
            option = (options & -options).bit_length() - 1
            options ^= 1 << option
            others = [item for item in items if item not in self.options[option]]
            found += yield left & self.agreeing(option), budget - self.cost[option], others
        if not is_forced:
            self.known[left, budget] = found
            self.spend(1000 + len(self.options))
        self.spend(-room)
        return found


def check(text: str, seconds: float = inf, **recount: Any) -> str:
    """Return what a proof proves; raise WrongProof if it does not, ValueError if it is no proof."""
    deadline = time.monotonic() + seconds
    head, *parts = text.removesuffix("\n").split("\npart ")
    first, *lines = [line.partition(" ")[::2] for line in head.split("\n", 9)]
    if first != ("bullseye", "proof 1") or not text.endswith("\n"):
        raise ValueError("the first line is not 'bullseye proof 1', or the end is missing")
    given, names = dict(lines), [key[:20] for key, _ in lines] + ["part"] * bool(parts)
    if not re.fullmatch(FORMS, " ".join(names)):
        raise ValueError(f"its lines are {', '.join(names)}")
    try:
        is_grid = "sudoku" in given
        problem = sudoku(given, deadline) if is_grid else exact_cover(given["cover"], deadline)
        if "best" in given:
            return best(problem, given)
        return divided(problem, given, parts, **recount) if parts else count(problem, given)
    except (TimeoutError, MemoryError):
        raise ValueError(f"checking it takes more than {seconds:g} s, or 1 GB") from None
    except MALFORMED as error:
        raise ValueError(f"a line is malformed: {error}") from error


def count(problem: Problem, given: dict[str, str]) -> str:
    """Raise WrongProof unless a problem has as many solutions as claimed."""
    claim, more = given["solutions"], " or more" * ("solution" in given)
    claimed = problem.number(claim.removesuffix(more), 4000)
    left = shown(problem, given) if more else problem.allowed
    found = problem.covers(left, trace=given.get("trace"))
    if f"{claimed}{more}" != claim or found < claimed or (found > claimed and not more):
        raise WrongProof(f"the branches have {found} solutions, not {claim[:40]}")
    return f"proven: {claim} solution{'s' * (claim != '1')}"


def best(problem: Problem, given: dict[str, str]) -> str:
    """Raise WrongProof unless a problem has the solution and no better one."""
    # A cover has each primary item once. So it scores the sum of the multipliers of these items
    # less the reduced costs of its options, all in parts of a point.
    parts, *multipliers = map(problem.number, given["multipliers"].split())
    multiplier = dict(zip(problem.primary, multipliers, strict=True))
    of_options = [sum(multiplier.get(item, 0) for item in items) for items in problem.options]
    problem.cost = [n - parts * m for n, m in zip(of_options, problem.scores, strict=True)]
    score = problem.number(given["best"])
    budget = sum(multipliers) - parts * score
    if parts < 1 or not problem.covers(shown(problem, given), budget):
        raise WrongProof(f"its solution does not score {score}")
    if found := problem.covers(problem.allowed, budget - parts, given["trace"]):
        raise WrongProof(f"the branches have {found} better solutions")
    return f"proven: the best score is {score}"


def divided(
    problem: Problem,
    given: dict[str, str],
    parts: list[str],
    sample: int | None = None,
    seed: int | None = None,
    counting: float = inf,
    counter: Callable[[Problem, int], int] = Problem.covers,
) -> str:
    """Raise WrongProof unless the parts of a search together have as many solutions as claimed."""
    rows = [list(map(problem.number, part.split())) for part in parts]
    claimed = {tuple(path): solutions for solutions, _, *path in rows}
    total, counted = problem.number(given["solutions"]), 0
    if len(claimed) != len(rows) or sum(claimed.values()) != total:
        raise WrongProof(f"the parts do not have {total} solutions, or two have the same path")
    left = partition(problem, claimed)
    order = random.Random(seed).sample(sorted(claimed), len(claimed))  # noqa: S311 # no secret
    problem.deadline = min(problem.deadline, time.monotonic() + counting)
    with suppress(TimeoutError):
        for path in order[:sample]:
            if (found := sum(counter(problem, some) for some in left[path])) != claimed[path]:
                raise WrongProof(f"part {path} has {found} solutions, not {claimed[path]}")
            counted += 1
    if counted == len(claimed):
        return f"proven: {total} solution{'s' * (total != 1)}"
    return f"{total} solutions in {len(claimed)} parts, {counted} of them counted again"


def partition(problem: Problem, parts: Iterable[Steps]) -> dict[Steps, list[int]]:
    """Return the sets of options whose covers make up each part, or raise WrongProof."""
    following: dict[Steps, set[int]] = {}
    for path in parts:
        for depth, option in enumerate(path):
            problem.spend((8000 + 64 * depth) * (path[:depth] not in following))
            following.setdefault(path[:depth], set()).add(option - 1)
    found: dict[Steps, list[int]] = {path: [] for path in parts}
    paths: list[tuple[Steps, Steps, int]] = [((), (), problem.allowed)]
    for path, part, left in paths:
        options = problem.union(following.get(path, ()))
        found[part].append(left & ~options)
        for option in following.get(path, ()):
            problem.spend(3 * len(problem.options) + 8000)
            longer, after = (*path, option + 1), left & problem.agreeing(option)
            if after & options or not left >> option & 1:
                raise WrongProof(f"path {longer} does not exist, or overlaps with another")
            paths.append((longer, longer if longer in found else part, after | 1 << option))
    return found


def sudoku(given: dict[str, str], deadline: float = inf) -> Problem:
    """Return a grid as an exact cover problem, with an option for each symbol of each cell."""
    grid = given["sudoku"]
    side = isqrt(len(grid))
    symbols, lines = SYMBOLS[:side], range(1, side + 1)
    if not grid or len(symbols) ** 2 != len(grid) or not set(grid) <= {".", *symbols}:
        raise ValueError("the sudoku is not a grid")
    height = max(height for height in range(1, isqrt(side) + 1) if side % height == 0)
    cells, options = [(row, column) for row in lines for column in lines], list[Option]()
    items = [f"r{row}c{column}" for row, column in cells]
    items += [f"{unit}{line}={s}" for unit in "rcb" for line in lines for s in symbols]
    for row, column in cells:
        box = (row - 1) // height * height + (column - 1) * height // side + 1
        names = (f"r{row}c{column} r{row}={s} c{column}={s} b{box}={s}" for s in symbols)
        options += [dict.fromkeys(some.split()) for some in names]
    problem = Problem(items, len(items), options, deadline)
    if "weights" in given:
        weights = map(problem.number, given["weights"].split())
        problem.scores = [weight * value for weight in weights for value in lines]
    agreeing = (clue in {".", s} for clue in grid for s in symbols)
    problem.allowed = problem.union(option for option, agrees in enumerate(agreeing) if agrees)
    return problem


def exact_cover(text: str, deadline: float = inf) -> Problem:
    """Return the problem of a JSON text, in which items count from 1 and options may have costs."""
    number = Problem([], 0, [], deadline).number
    given = json.loads(text, parse_int=number, parse_float=number, parse_constant=number)
    if set(given) - {"items", "secondary", "options", "costs", "colours", "names"}:
        raise ValueError("its problem is not an exact cover")
    primary, all_items = given["items"], given["items"] + given.get("secondary", 0)
    most = min(10**6, 1000 + len(text))
    if not 0 <= primary <= all_items <= most or len(given["options"]) > most:
        raise ValueError("it has too many items or options")
    name = {item: str(item) for item in range(1, all_items + 1)}
    options: list[Option] = [{name[item]: None for item in items} for items in given["options"]]
    for option, colours in zip(options, given.get("colours", ()), strict=False):
        named = {str(item): colour for item, colour in colours if item > primary}
        option.update({item: named[item] for item in named.keys() & option})
    problem = Problem(list(name.values()), primary, options, deadline)
    costs = given.get("costs", problem.scores)
    problem.scores = [-cost for _, cost in zip(options, costs, strict=True)]
    useful = (min(items, default=inf) <= primary for items in given["options"])
    problem.allowed = problem.union(option for option, is_useful in enumerate(useful) if is_useful)
    return problem


def shown(problem: Problem, given: dict[str, str]) -> int:
    """Return the options of the solutions that a proof shows, if they are allowed."""
    words, side = given["solution"].split(), isqrt(len(given.get("sudoku", "")))
    if "cover" in given:
        return problem.allowed & problem.union(problem.number(word) - 1 for word in words)
    cells = (((cell * side, s) for cell, s in enumerate(word)) for word in words)
    grids = (problem.union(k + SYMBOLS.index(s, 0, side) for k, s in some) for some in cells)
    return problem.allowed & reduce(or_, grids, 0)


def read(file: str) -> str:
    """Return the text of a file, which may be compressed by gzip."""
    with Path(file).open("rb") as stream:
        text = stream.read(MAX_TEXT + 1)
    if text.startswith(b"\x1f\x8b"):
        unpacker = zlib.decompressobj(31)
        text = unpacker.decompress(text, MAX_TEXT + 1)
        if len(text) <= MAX_TEXT and (not unpacker.eof or unpacker.unused_data):
            raise ValueError("its compressed data ends too early, or more follows")
    if len(text) > MAX_TEXT:
        raise ValueError(f"it is longer than {MAX_TEXT >> 20} MB")
    return text.decode()


def main(files: Sequence[str], seconds: float = 600.0, **recount: Any) -> int:
    """Check files, print a line for each, and return the exit code; see `check`."""
    codes = [0]
    for file in files:
        try:
            line, code = f"{file}: {check(read(file), seconds, **recount)}", 0
        except (WrongProof, ValueError, OSError, zlib.error) as error:
            line, code = f"{file}: not proven: {error}", 1 if type(error) is WrongProof else 65
        plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
        print(plain, file=sys.stderr if code else sys.stdout)
        codes.append(code)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

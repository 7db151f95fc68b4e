#!/usr/bin/env python3
"""Check proofs that `bullseye prove` wrote, with nothing but Python's standard library.

    python check.py FILE...

Exit codes: 0 no proof is wrong; 1 a proof is wrong; 65 a file is not a proof, or takes too long.

A proof states a cover problem, a claim, and what shows it. An option is a set of items. A cover is
a set of options that has each primary item once, and each secondary item at most once, or more
often in options that all give it the same colour. With multiplicities it has each primary item as
often as these say; in a set cover once or more, and no option can be left out. The items of a
sudoku are "row 1, column 2 is filled" (r1c2), "row 1 has a 5" (r1=5), and the same for columns
(c1=5) and boxes (b1=5); its options are the symbols of the cells. A set of options is an integer,
in which option k is bit k.

needed   An item needs all options that it has left: they are chosen, and what clashes with them
         goes. If it needs more than it has, there is no cover here.
full     An item has its greatest number: its other options go.
useless  In a set cover, options that have no open item go.
budget   An option goes if all covers with it exceed the budget, and is chosen if all without it do.
branch   None of these applies. The proof names an item, and each of its options is tried without
         those before it; or an option (x7), which is tried and then excluded.
bound    Before that, the proof may change the multipliers of items (5:120,8:-3) from here on.
known    What is left was left before: there are as many covers as there were then.
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
FORMS = "(sudoku weights|cover) best( step)? solution multipliers trace"
FORMS += "|(sudoku|cover) solutions (trace|part)"
FORMS += "|(sudoku|cover( at_most)?) solutions (solution|multipliers trace)"
MAX_TEXT, MAX_BITS = 2**24, 2**33  # the longest text, and the bits of all sets together
MALFORMED = (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
Option = dict[str, str | None]  # its items, and the colours that it gives them
Steps = tuple[int, ...]  # a path: the numbers of options, from 1
Multipliers = dict[str, int]  # of items
State = tuple[int, int, list[str], Multipliers]  # the options left and chosen, and the open items


class WrongProof(Exception):
    """A proof does not prove what it claims."""


class NoCover(Exception):
    """There is no cover here."""


class Problem:
    """A cover problem, whose options count from 0."""

    def __init__(
        self, items: list[str], primary: int, options: list[Option], deadline: float = inf
    ) -> None:
        self.items, self.primary, self.options = items, items[:primary], options
        self.scores = [0] * len(options)
        self.least = dict.fromkeys(items, 0) | dict.fromkeys(self.primary, 1)
        self.most: dict[str, float] = dict.fromkeys(items, 1)
        self.is_set_cover = False
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
        self.coloured = {item for item, _ in alike}
        self.agreeing = lru_cache(999)(self._agreeing)

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
        """Return the options that do not clash with one; it does so itself."""
        pairs = [(i, c) for i, c in self.options[option].items() if self.most[i] == 1]
        clashing = (self.having[i] & ~self.alike.get((i, c), 0) for i, c in pairs)
        return ~reduce(or_, clashing, 1 << option)

    @property
    def is_exact(self) -> bool:
        """Return whether covers have each primary item once."""
        return {*self.most.values()} <= {1} and all(map(self.least.get, self.primary))

    def limit(self, item: str) -> float:
        """Return how many options of a cover may have an item; any number if it has colours."""
        return inf if item in self.coloured else self.most[item]

    def is_minimal(self, chosen: int) -> bool:
        """Return whether each chosen option has an item that no other one has."""
        some = (chosen & self.having[item] for item in self.primary)
        return reduce(or_, (one for one in some if one.bit_count() == 1), 0) == chosen


class Search:
    """A search for the covers that cost at most a budget."""

    def __init__(
        self,
        problem: Problem,
        ask: Callable[[State], str] | None = None,
        cost: list[int] | None = None,
        budget: int = 0,
    ) -> None:
        """Ask for each branch; or else branch on an item with the fewest options left."""
        self.problem, self.ask = problem, ask or self.fewest
        self.cost, self.budget = cost or [0] * len(problem.options), budget
        self.is_limited = budget < 0 or any(self.cost)
        self.several = [item for item, most in problem.most.items() if 1 < most < inf]
        self.known: dict[tuple[int, ...], int] = {}

    def covers(self, left: int, multipliers: Multipliers | None = None) -> int:
        """Return the number of covers by the options left."""
        found: Any = None
        path = [self._covers(left, 0, self.problem.primary, multipliers or {})]
        while path:  # each search but the last waits for the next one
            try:
                path.append(self._covers(*path[-1].send(found)))
                found = None
            except StopIteration as end:
                found = path.pop() and end.value
        return int(found)

    def _covers(
        self, left: int, chosen: int, items: list[str], multipliers: Multipliers
    ) -> Generator[State, int, int]:
        """Return the number of covers; yield what each branch leaves, to be sent its number."""
        problem, name, found = self.problem, ":", 0
        while ":" in name:
            try:
                state = left, chosen, items, _ = self.settled((left, chosen, items, multipliers))
            except NoCover:
                return 0
            if not left:
                return int(not problem.is_set_cover or problem.is_minimal(chosen))
            times = ((chosen & problem.having[item]).bit_count() for item in self.several)
            if (key := (left, self.spent(chosen), *times)) in self.known:
                return self.known[key]
            name = self.ask(state)
            if ":" in name:
                multipliers = multipliers | self.changes(name)
        problem.spend(room := 8000 + 64 * len(items) + 200 * len(multipliers))
        for branch in self.branches(name, state):
            found += yield branch
        if not problem.is_set_cover:
            self.known[key] = found
            problem.spend(1000 + len(problem.options) + 64 * len(key))
        problem.spend(-room)
        return found

    def changes(self, name: str) -> Multipliers:
        """Return the multipliers that a proof changes."""
        pairs = (change.partition(":")[::2] for change in name.split(","))
        changes = {item: self.problem.number(value) for item, value in pairs}
        if not changes.keys() <= self.problem.most.keys():
            raise WrongProof("it changes a multiplier of no item")
        return changes

    def branches(self, name: str, state: State) -> Iterable[State]:
        """Yield what each branch leaves."""
        left, chosen, items, multipliers = state
        is_option = name.startswith("x")
        if is_option:
            option = self.problem.number(name[1:]) - 1
            options = (left >> option & 1) << option
        else:
            options = left & self.problem.having[name] if self.needs(name, state) else 0
        if not options:
            raise WrongProof(f"it branches on {name[:40]}, not on an open item")
        for option in bits(options):
            yield *self.choose(left, chosen, option), items, multipliers
            left ^= 1 << option
        if is_option:
            yield left, chosen, items, multipliers

    def needs(self, item: str, state: State) -> bool:
        """Return whether an item needs an option."""
        _, chosen, items, _ = state
        least, having = self.problem.least, self.problem.having
        return item in items and least[item] > (chosen & having[item]).bit_count()

    def fewest(self, state: State) -> str:
        """Return an item with the fewest options left; or an option, if all items may be left."""
        left, _, items, _ = state
        having = self.problem.having
        some = [item for item in items if self.needs(item, state)]
        option = (left & -left).bit_length()
        return min(some, key=lambda i: (left & having[i]).bit_count(), default=f"x{option}")

    def choose(self, left: int, chosen: int, option: int) -> tuple[int, int]:
        """Return the options left and chosen after one more is chosen."""
        return left & self.problem.agreeing(option), chosen | 1 << option

    def spent(self, chosen: int) -> int:
        """Return what the chosen options cost."""
        return sum(self.cost[option] for option in bits(chosen)) if self.is_limited else 0

    def settled(self, state: State) -> State:
        """Apply the rules until nothing more follows; raise NoCover."""
        left, chosen, items, multipliers = state
        while True:
            self.problem.spend()
            before = left, chosen
            left, chosen, items = self.compared(left, chosen, items)
            if (left, chosen) == before and (multipliers or self.is_limited):
                left, chosen = self.affordable(left, chosen, multipliers)
            if (left, chosen) == before:
                return left, chosen, items, multipliers

    def compared(self, left: int, chosen: int, items: list[str]) -> tuple[int, int, list[str]]:
        """Compare the numbers that items have and need; return the items for which these differ."""
        problem, still, useful = self.problem, [], 0
        for item in items:
            count, most = (left & (having := problem.having[item])).bit_count(), problem.most[item]
            if count > most == 1:  # an item that is covered has no option left
                still.append(item)
                continue
            times = (chosen & having).bit_count()
            need = problem.least[item] - times
            if count < need or times > most:
                raise NoCover
            if need > 0:
                useful |= having
            if times == most:
                left &= ~having
            elif need > 0 or times + count > most:
                still.append(item)
                for option in bits(left & having) if count == need else ():
                    if left >> option & 1:
                        left, chosen = self.choose(left, chosen, option)
        return left & useful if problem.is_set_cover else left, chosen, still

    def affordable(self, left: int, chosen: int, multipliers: Multipliers) -> tuple[int, int]:
        """Apply the rule of the budget once.

        The reduced cost of an option is its cost and the multipliers of its items. A cover costs
        its reduced costs, less each multiplier as often as the item is covered. So it costs no less
        than all negative reduced costs, less each negative multiplier as often as its item needs
        options yet, less each positive one as often as its item may have more.
        """
        problem, bound, live = self.problem, self.spent(chosen), Multipliers()
        for item, value in multipliers.items():
            having = problem.having[item]
            number = problem.least[item] if value < 0 else problem.limit(item)
            number -= (chosen & having).bit_count()
            if number > 0 if value < 0 else number < (left & having).bit_count():
                live[item] = value
                bound -= value * int(number)
        reduced = {
            option: self.cost[option] + sum([live.get(i, 0) for i in problem.options[option]])
            for option in bits(left)
        }
        gap = self.budget - bound - sum(min(0, cost) for cost in reduced.values())
        if gap < 0:
            raise NoCover
        left &= ~problem.union(option for option, cost in reduced.items() if cost > gap)
        for option, cost in reduced.items():
            if cost < -gap and left >> option & 1:
                left, chosen = self.choose(left, chosen, option)
        return left, chosen


class Trace:
    """Names the branches that a proof lists."""

    def __init__(self, text: str) -> None:
        self._names = [*reversed(text.split())]

    def __call__(self, _: State) -> str:
        """Return the next name; it is an error if there is none."""
        return self._names.pop() if self._names else "nothing"

    def end(self) -> None:
        """Raise WrongProof if there are more names."""
        if self._names:
            raise WrongProof(f"branch {self._names[-1][:40]} comes after the last")


def covers(problem: Problem, options: int) -> int:
    """Return the number of covers by these options."""
    return Search(problem).covers(options)


def bits(options: int) -> Iterable[int]:
    """Return the options of a set, in order."""
    return [option for option, bit in enumerate(bin(options)[:1:-1]) if bit == "1"]


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
        problem = sudoku(given, deadline) if is_grid else cover(given["cover"], deadline)
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
    parts, multipliers = stated(problem, given)
    trace, cost, budget, limit = Trace(given.get("trace", "")), None, 0, ""
    if "at_most" in given:
        cost, budget = [-parts * one for one in problem.scores], problem.number(given["at_most"])
        limit = f" of a cost of at most {budget}"
    search = Search(problem, None if more else trace, cost, parts * budget)
    found = search.covers(shown(problem, given) if more else problem.allowed, multipliers)
    trace.end()
    if f"{claimed}{more}" != claim or found < claimed or (found > claimed and not more):
        raise WrongProof(f"the branches have {found} solutions, not {claim[:40]}")
    return f"proven: {claim} solution{'s' * (claim != '1')}{limit}"


def best(problem: Problem, given: dict[str, str]) -> str:
    """Raise WrongProof unless a problem has the solution and no better one."""
    parts, multipliers = stated(problem, given)
    score, step = problem.number(given["best"]), problem.number(given.get("step", "1"))
    if step < 1 or any(one % step for one in [score, *problem.scores]):
        raise WrongProof(f"not all scores are multiples of {step}")
    cost, budget = [-parts * one for one in problem.scores], -parts * score
    if not Search(problem, None, cost, budget).covers(shown(problem, given)):
        raise WrongProof(f"its solution does not score {score}")
    trace = Trace(given["trace"])
    better = Search(problem, trace, cost, budget - parts * step)
    if found := better.covers(problem.allowed, multipliers):
        raise WrongProof(f"the branches have {found} better solutions")
    trace.end()
    return f"proven: the best score is {score}"


def stated(problem: Problem, given: dict[str, str]) -> tuple[int, Multipliers]:
    """Return in how many parts a point is counted, and the multipliers in these."""
    parts, *values = map(problem.number, given.get("multipliers", "1").split())
    if parts < 1 or len(values) not in {0, len(problem.primary), len(problem.items)}:
        raise ValueError("it has another number of multipliers than of items")
    return parts, dict(zip(problem.items, values, strict=False))


def divided(
    problem: Problem,
    given: dict[str, str],
    parts: list[str],
    sample: int | None = None,
    seed: int | None = None,
    counting: float = inf,
    counter: Callable[[Problem, int], int] = covers,
) -> str:
    """Raise WrongProof unless the parts of a search together have as many solutions as claimed."""
    rows = [list(map(problem.number, part.split())) for part in parts]
    claimed = {tuple(path): solutions for solutions, _, *path in rows}
    total, counted = problem.number(given["solutions"]), 0
    if len(claimed) != len(rows) or sum(claimed.values()) != total:
        raise WrongProof(f"the parts do not have {total} solutions, or two have the same path")
    if not problem.is_exact:
        raise ValueError("only exact covers have parts")
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
        weights = zip(cells, map(problem.number, given["weights"].split()), strict=True)
        problem.scores = [weight * value for _, weight in weights for value in lines]
    agreeing = (clue in {".", s} for clue in grid for s in symbols)
    problem.allowed = problem.union(option for option, agrees in enumerate(agreeing) if agrees)
    return problem


def cover(text: str, deadline: float = inf) -> Problem:
    """Return the problem of a JSON text, in which items count from 1 and options may have costs."""
    number = Problem([], 0, [], deadline).number
    given = json.loads(text, parse_int=number, parse_float=number, parse_constant=number)
    known = {"items", "secondary", "options", "costs", "colours", "names", "option_names"}
    if set(given) - known - {"multiplicities", "set_cover"}:
        raise ValueError("its problem has a member that is not known")
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
    costs = given.get("costs", [1 if "set_cover" in given else 0] * len(options))
    problem.scores = [-cost for _, cost in zip(options, costs, strict=True)]
    set_numbers(problem, given)
    useful = (min(items, default=inf) <= primary for items in given["options"])
    problem.allowed = problem.union(option for option, is_useful in enumerate(useful) if is_useful)
    return problem


def set_numbers(problem: Problem, given: dict[str, Any]) -> None:
    """Set how often the items of a problem may be covered, as its members say."""
    if "set_cover" in given:
        if given["set_cover"] is not True or "multiplicities" in given:
            raise ValueError("it is not clear how often its items may be covered")
        problem.is_set_cover = True
        problem.most |= dict.fromkeys(problem.primary, inf)
        if max(problem.scores, default=0) > 0:
            raise ValueError("a set cover has no negative costs")
    elif "multiplicities" in given:
        for item, (least, most) in zip(problem.primary, given["multiplicities"], strict=True):
            problem.least[item], problem.most[item] = least, most
            if not 0 <= least <= most:
                raise ValueError(f"item {item} cannot be covered {least} to {most} times")


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

"""The search of a part: it enters each untried option of the part, and can stop at any node."""

from collections.abc import Generator

import numpy as np

from worker.compiling.numbers import Integers
from worker.exact_cover import stops
from worker.exact_cover.layout import Links
from worker.exact_cover.parts.frontier import Frontier, Level, Levels
from worker.exact_cover.parts.path import follow, leave, new_steps
from worker.exact_cover.search import search_slice
from worker.exact_cover.slices import Slices
from worker.exact_cover.state import (
    FIRST_NODES,
    MANY_SOLUTIONS,
    Path,
    Search,
    Terms,
    kept_paths,
    start_again,
)
from worker.stopwatch import Stopwatch


class ForeignPart(Exception):
    """A part whose path does not exist in the search: another release or another puzzle made it."""


class PartSearch(Slices[Links]):
    """A search that is restricted to a part, on tables in which every item of the puzzle is open.

    `search` counts what it finds.  Without `pairs_compared`, it is a search of the whole puzzle
    that has not begun, or was paused.
    """

    def __init__(
        self,
        tables: Links,
        search: Search,
        terms: Terms,
        levels: Levels,
        pairs_compared: int | None = None,
        *,
        watch: Stopwatch | None = None,
    ) -> None:
        super().__init__(search_slice, tables, search, terms, watch or Stopwatch())
        if pairs_compared is not None:
            search.state.pairs_compared, search.state.first_nodes = pairs_compared, 0
        self.ns = self.wall_ns = 0  #: CPU time and wall time that it took, in nanoseconds
        self._before: Search | None = None  # what it had found when it started again
        self._levels: Levels | None = levels
        self._entered = pairs_compared is None

    def advance(self, slice_ns: int) -> int:
        """Search for `slice_ns`; return PAUSED, or why the search ended.

        Raise ForeignPart if the part does not belong to this search.
        """
        watch, status, is_over = Stopwatch(slice_ns / 1e9), stops.EXHAUSTED, False
        while self._levels is not None and not is_over:
            if not self._entered:
                self._enter(self._levels)
            status = super().advance(max(1, watch.left_ns))
            is_over = watch.is_over
            if status == stops.MANY:
                self._before, status = start_again(self.search), stops.PAUSED
            elif status not in stops.GOING_ON:
                self._entered = False
                self._levels = _without_first(self._levels) if status == stops.EXHAUSTED else None
        if (
            status == stops.TIMED_OUT
            and self._before
            and self._before.state.found > self.search.state.found
        ):
            self.search = self._before
        self.ns += watch.ns
        self.wall_ns += watch.wall_ns
        return stops.PAUSED if self._levels is not None else status

    def run_or_divide(self) -> Generator[None, None, tuple[int, Frontier | None]]:
        """Search until the end, or until the search is to be divided; yield after each slice.

        Return why it stopped, and what is left: PAUSED if something is.
        """
        status = yield from self.run(
            lambda status: (
                status == stops.PAUSED and self.watch.is_to_divide and may_be_divided(self.search)
            )
        )
        left = self.frontier() if status == stops.PAUSED else None
        return stops.EXHAUSTED if status == stops.PAUSED and left is None else status, left

    def frontier(self) -> Frontier | None:
        """Stop, and return what is left; None if the part has ended.

        The search itself is at the root afterwards.
        """
        if self._entered and self._levels is not None:
            self._levels = self._leave(self._levels)
            self._entered = False
        return None if self._levels is None else Frontier(self._levels)

    @property
    def cost(self) -> Integers:
        """Per option: its reduced cost."""
        return self.tables.cost

    def kept(self) -> list[tuple[Path, int]]:
        """The best solutions that were found, and their costs."""
        return kept_paths(self.search)

    @property
    def worst(self) -> int | None:
        """What the worst of these costs, if there are as many as wanted."""
        kept, count = self.search.kept, self.terms.wanted
        return int(kept.cost[:count].max()) if self.search.state.kept == count else None

    def levels_left(self) -> Levels | None:
        """Stop a search of the whole puzzle, and return what is left; None if nothing is.

        Each option that was chosen has a level, whether it was guessed or forced.
        """
        path, levels = self._left(())
        is_over = self.search.state.dead != 0 and path == len(levels)
        return None if is_over else tuple(levels.values())

    def take_over(self, levels: Levels | None) -> None:
        """Search what is left of another search of the same problem, which excluded other options.

        What this search chooses there by itself needs no level, and what it excludes is left out.
        Without a level it finds everything again; unless time ends before, that is the result.
        """
        state = self.search.state
        if levels == ():
            self._before = start_again(self.search)
            return
        if state.found * FIRST_NODES > state.nodes * MANY_SOLUTIONS:
            state.pairs_compared = 1
        state.first_nodes = 0
        self._levels = None if levels is None else self._taken_over(levels)
        self._entered = False

    def _enter(self, levels: Levels) -> None:
        """Follow the path of the part; its last option is chosen for the first time."""
        made = self._follow(levels)
        if len(made) < len(levels) or any(
            branching not in {0, level.branching}
            for level, branching in zip(levels, made, strict=True)
        ):
            raise ForeignPart("this part does not belong to the search")
        self.search.state.nodes += len(levels) > 0
        self._entered = True

    def _leave(self, outer: Levels) -> Levels | None:
        """Return the levels of a search that is below the path of `outer`; None if it has ended."""
        state, is_dead = self.search.state, self.search.state.dead != 0
        path, steps = self._left(outer)
        if is_dead and path == len(steps):
            return _without_first(outer)
        made = self._tried(tuple(steps.values()))  # what is forced to a dead end has no guess
        guesses = {
            depth: level._replace(branching=branching)
            for (depth, level), branching in zip(steps.items(), made, strict=False)
            if branching
        }
        if not is_dead:  # the last guess, and what follows from it, will be chosen again
            state.nodes -= path - max(guesses, default=0)
        return tuple(guesses.values())

    def _left(self, outer: Levels) -> tuple[int, dict[int, Level]]:
        """Return to the root; return the length of the path, and the levels by their depth.

        Each option on the path has a level, whether it was guessed or forced.
        """
        steps = new_steps(self.search.chosen.size + self.tables.cost.size)
        path, count = leave(self.tables, self.search, steps)
        of_outer = {level.options[0]: level.options for level in outer}
        levels = dict[int, Level]()
        for depth, item, option, _ in sorted(steps[:count].tolist(), key=lambda step: step[0]):
            if depth in levels:
                level = levels[depth]
                levels[depth] = level._replace(options=(*level.options, option))
            else:
                levels[depth] = Level(item, 1, of_outer.get(option, (option,)))
        return path, levels

    def _follow(self, levels: Levels, *, looks: bool = False) -> list[int]:
        """Choose the first option of each level; return the branching of those that exist.

        It is 0 for an option that is chosen without a guess.  If this `looks` at the others, too,
        theirs comes before that of the first; it is -1 for an option that cannot be chosen.
        """
        rows = [
            (0 if option == first else -1, level.item, option)
            for level in levels
            for first, *others in (level.options,)
            for option in (*(others if looks else ()), first)
        ]
        steps = new_steps(len(rows))
        steps["depth"], steps["branch"], steps["option"] = np.reshape(rows, (-1, 3)).T
        there = follow(self.tables, self.search, self.terms, steps)
        return [int(branching) for branching in steps["branching"][:there]]

    def _tried(self, levels: Levels, *, looks: bool = False) -> list[int]:
        """Return what `_follow` does, and be at the root afterwards."""
        made = self._follow(levels, looks=looks)
        if len(made) == (sum(len(level.options) for level in levels) if looks else len(levels)):
            leave(self.tables, self.search, new_steps(self.search.chosen.size))
        return made

    def _taken_over(self, levels: Levels) -> Levels | None:
        """Return the levels as this search has them; None if nothing is left."""
        own, branchings = list[Level](), iter(self._tried(levels, looks=True))
        for level in levels:
            first, *others = level.options
            left = dict(zip((*others, first), branchings, strict=False))
            is_there = first in left
            if is_there and not left[first]:
                continue
            if 0 in left.values():
                return tuple(own)  # without the others, this search chooses it by itself
            left = {option: left[option] for option in level.options if left.get(option, -1) > 0}
            if left:
                own.append(Level(level.item, max(left.values()), tuple(left)))
            if not is_there:  # nor is what is below it
                return tuple(own) if left else _without_first(tuple(own))
        return tuple(own)


def may_be_divided(search: Search) -> bool:
    """Return whether a search that is paused may be left to parts.

    It may not before it has passed the point at which it may start again: then the parts have as
    many nodes together, wherever the search is divided.
    """
    return bool(search.state.nodes > FIRST_NODES)


def _without_first(levels: Levels) -> Levels | None:
    """Return what is left when the first option of the last level has been searched."""
    for depth in range(len(levels) - 1, -1, -1):
        level = levels[depth]
        if len(level.options) > 1:
            rest = level._replace(options=level.options[1:], bounds=level.bounds[1:])
            return (*levels[:depth], rest)
    return None

"""Solve cover problems: from their JSON texts to outcomes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import inf

import numpy as np

from worker import lasting
from worker.covers.decoding import decode
from worker.covers.radius import least_radius
from worker.covers.text import Cover, option_numbers
from worker.errors import PuzzleError
from worker.exact_cover.problem import Problem, distinct, number
from worker.lasting import Puzzle
from worker.multiplicity import solve as multiplicity
from worker.multiplicity.solve import Tally
from worker.options import Options
from worker.outcome import Outcome, Outcomes, malformed
from worker.set_cover import solve as set_cover
from worker.stopwatch import Stopwatch


def solve(
    texts: Sequence[str], options: Options, slice_seconds: float, budget: float = inf
) -> Iterator[Outcomes]:
    """Yield the outcomes of cover problems, in their order, after each slice of time.

    After `budget` seconds the search of a problem stops, and its outcome has a rest.
    """
    for text in texts:
        watch = Stopwatch(options.timeout, budget, slice_seconds)
        try:
            cover = decode(text)
            problem = problem_of(cover)
        except PuzzleError as error:
            yield Outcomes.of([malformed("cover", f"this is no cover problem: {error}")])
            continue
        for row in _solve_one(cover, problem, options, watch):
            yield Outcomes.of([] if row is None else [row._replace(ns=watch.ns)])


def _solve_one(
    cover: Cover, problem: Problem, options: Options, watch: Stopwatch
) -> Iterator[Outcome | None]:
    """Yield None after each slice of time but the last, then the outcome of a cover problem."""
    if cover.distances is not None:
        return least_radius(cover, watch)
    if cover.multiplicities is not None and options.set_cover:
        why = "a problem with multiplicities cannot be solved as a set cover"
        return iter([malformed("cover", why)])
    if options.set_cover and problem.cost.min(initial=0) < 0:
        return iter([malformed("cover", "a set cover has no negative costs")])
    if options.set_cover or cover.set_cover:
        return _set_covers(cover, problem, options, watch)
    if cover.multiplicities is not None:
        return _with_multiplicities(cover, problem, options, watch)
    counts = options.only_counts
    puzzle = _puzzle(cover, problem.without_profits, scored=options.target and not counts)
    return lasting.search(puzzle, options, watch, counts=counts)


def _puzzle(cover: Cover, problem: Problem, *, scored: bool) -> Puzzle:
    """Return a cover problem whose covers score minus their costs, if it has any."""
    scored = scored and cover.costs is not None
    return Puzzle(
        kind="cover",
        size=cover.items,
        clues=None,
        problem=problem if scored else problem.without_costs,
        scored=scored,
        texts=lambda paths: [*map(option_numbers, paths)],
        option_counts=lambda counts, _: counts,
        has_diagram=True,
    )


def _set_covers(
    cover: Cover, problem: Problem, options: Options, watch: Stopwatch
) -> Iterator[Outcome | None]:
    """Yield the covers from which no option can be left out: the cheapest, or any `at_most`.

    Without costs, every option costs 1.
    """
    # A text that is marked may be among others, for which these were given.
    options = replace(options, every=False, per_option=False)
    if cover.costs is None:
        problem = problem._replace(cost=np.ones_like(problem.cost))
    puzzle = _puzzle(cover, problem, scored=False)
    if options.at_most is None:
        results = set_cover.cheapest(problem, keep=options.keep, watch=watch)
    else:
        most, limit = options.at_most, options.limit
        results = set_cover.within(problem, most, limit=limit, keep=options.keep, watch=watch)
    for found in results:
        yield found and lasting.outcome(puzzle, found, options)


def _with_multiplicities(
    cover: Cover, problem: Problem, options: Options, watch: Stopwatch
) -> Iterator[Outcome | None]:
    """Yield the covers with multiplicities: the cheapest ones, or any."""
    bounds = cover.multiplicities or ()
    puzzle = _puzzle(cover, problem, scored=options.target)
    if puzzle.scored and options.every:
        results = multiplicity.visit_all(problem, bounds, keep=options.keep, watch=watch)
    elif puzzle.scored:
        results = set_cover.cheapest(problem, bounds, keep=options.keep, watch=watch)
    else:
        is_tallied = options.sample or options.per_option
        tally = Tally(problem.cost.size, options.sample, options.seed) if is_tallied else None
        results = multiplicity.in_slices(
            problem, bounds, limit=options.limit, keep=options.keep, watch=watch, tally=tally
        )
    for found in results:
        yield found and lasting.outcome(puzzle, found, options)


@lru_cache(maxsize=1)  # each turn of a divided search reads it again
def read(text: str, *, scored: bool) -> Puzzle:
    """Return an exact cover problem whose covers have scores, if these are wanted.

    Raise PuzzleError if the text is not such a problem, or one too large to solve.
    """
    cover = decode(text)
    if cover.set_cover:
        raise PuzzleError("this is a set cover; its search is not divided and cannot be estimated")
    if cover.multiplicities is not None:
        why = "this problem has multiplicities; its search is not divided and cannot be estimated"
        raise PuzzleError(why)
    return _puzzle(cover, problem_of(cover).without_profits, scored=scored)


def problem_of(cover: Cover) -> Problem:
    """Return a cover problem as the solver takes it; raise PuzzleError if it is too large."""
    try:
        problem = number(cover.primary, cover.secondary, cover.options, cover.costs, cover.colours)
    except ValueError as error:
        raise PuzzleError(str(error)) from error
    return _without_idle_items(problem, keep_primary=cover.multiplicities is not None)


def _without_idle_items(problem: Problem, *, keep_primary: bool) -> Problem:
    """Return the problem without the secondary items that no option has.

    Then a text takes no more memory than it has options, and multiplicities, whatever number of
    items it states. If no option has some primary item, return a problem without a cover, of as
    many options, unless primary items are kept.
    """
    if problem.items <= problem.members.size and (
        np.bincount(problem.members, minlength=problem.items + 1)[1:].all()
    ):
        return problem
    named = distinct(problem.members)
    if keep_primary:
        named = np.union1d(named, np.arange(1, problem.primary + 1))
    elif np.count_nonzero(named <= problem.primary) < problem.primary:
        return number(1, 0, [[]] * problem.cost.size)
    members = np.searchsorted(named, problem.members) + 1
    return problem._replace(items=named.size, members=members.astype(np.uint32))

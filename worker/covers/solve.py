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
from worker.set_cover.layout import Multiplicity, once, options_for_one
from worker.set_cover.part import Parts
from worker.stopwatch import Stopwatch

#: seconds in which outcomes are gathered: to yield each alone takes as long as a small problem,
#: whose search may also pause several times
GATHERED_SECONDS = 0.05


def solve(
    texts: Sequence[str], options: Options, slice_seconds: float, budget: float = inf
) -> Iterator[Outcomes]:
    """Yield the outcomes of cover problems, in their order, after each slice of time.

    After `budget` seconds the search of a problem stops, and its outcome has a rest.
    """
    rows, together = list[Outcome](), Stopwatch(GATHERED_SECONDS)
    for text in texts:
        for row in _solve_one(text, options, Stopwatch(options.timeout, budget, slice_seconds)):
            rows += [row] if row else []
            if together.is_over or (row and row.rest):
                yield Outcomes.of(rows)
                rows, together = [], Stopwatch(GATHERED_SECONDS)
    if rows:
        yield Outcomes.of(rows)


def _solve_one(text: str, options: Options, watch: Stopwatch) -> Iterator[Outcome | None]:
    """Read a problem; yield None after each slice of time but the last, then its outcome."""
    try:
        cover = decode(text)
        problem = problem_of(cover)
    except PuzzleError as error:
        yield malformed("cover", f"this is no cover problem: {error}")
        return
    for row in _search(cover, problem, options, watch):
        yield row and row._replace(ns=watch.ns)


def _search(
    cover: Cover, problem: Problem, options: Options, watch: Stopwatch
) -> Iterator[Outcome | None]:
    """Yield None after each slice of time but the last, then the outcome of a problem."""
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
    puzzle = _exact(cover, problem, options)
    return lasting.search(puzzle, options, watch, counts=counts)


def _exact(cover: Cover, problem: Problem, options: Options) -> Puzzle:
    """Return an exact cover problem; its covers have scores if these are wanted."""
    if not (options.target and cover.costs is not None):
        return _puzzle(cover, problem.without_costs)
    puzzle = _scored(cover, problem.without_profits, once(problem), options)
    part = Parts(puzzle.problem, once(puzzle.problem))
    return puzzle._replace(has_diagram=True, part=part)


def _scored(
    cover: Cover, problem: Problem, bounds: Sequence[Multiplicity] | None, options: Options
) -> Puzzle:
    """Return a problem whose covers score minus their costs; without bounds, a set cover.

    If one cover is wanted, it has no options that a cheapest cover does not need.
    """
    if options.keep > 1 or options.every:
        return _puzzle(cover, problem)._replace(scored=True)
    needed = options_for_one(problem, bounds)
    return _puzzle(cover, problem.only(needed))._replace(
        scored=True,
        texts=lambda paths: [option_numbers(needed[list(path)].tolist()) for path in paths],
    )


def _puzzle(cover: Cover, problem: Problem) -> Puzzle:
    """Return a problem whose covers have no scores."""
    return Puzzle(
        kind="cover",
        size=cover.items,
        clues=None,
        problem=problem,
        scored=False,
        texts=lambda paths: [*map(option_numbers, paths)],
        option_counts=lambda counts, _: counts,
    )


def _set_covers(
    cover: Cover, problem: Problem, options: Options, watch: Stopwatch
) -> Iterator[Outcome | None]:
    """Yield the covers from which no option can be left out: the cheapest, or any `at_most`.

    Without costs, every option costs 1.
    """
    # A text that is marked may be among others, for which these were given.
    options = replace(options, every=False, per_option=False)
    if options.at_most is None:
        puzzle = _set_cover(cover, problem, options)
        results = set_cover.cheapest(puzzle.problem, keep=options.keep, watch=watch)
    else:
        puzzle = _puzzle(cover, _priced(cover, problem))
        most, limit = options.at_most, options.limit
        results = set_cover.within(
            puzzle.problem, most, limit=limit, keep=options.keep, watch=watch
        )
    for found in results:
        yield found and lasting.outcome(puzzle, found, options)


def _set_cover(cover: Cover, problem: Problem, options: Options) -> Puzzle:
    """Return a set cover; without costs, every option costs 1."""
    puzzle = _scored(cover, _priced(cover, problem), None, options)
    return puzzle._replace(is_exact=False, part=Parts(puzzle.problem, None))


def _priced(cover: Cover, problem: Problem) -> Problem:
    return problem._replace(cost=np.ones_like(problem.cost)) if cover.costs is None else problem


def _with_multiplicities(
    cover: Cover, problem: Problem, options: Options, watch: Stopwatch
) -> Iterator[Outcome | None]:
    """Yield the covers with multiplicities: the cheapest ones, or any."""
    bounds = cover.multiplicities or ()
    puzzle = _multiple(cover, problem, options)
    if puzzle.scored and options.every:
        results = multiplicity.visit_all(problem, bounds, keep=options.keep, watch=watch)
    elif puzzle.scored:
        results = set_cover.cheapest(puzzle.problem, bounds, keep=options.keep, watch=watch)
    else:
        is_tallied = options.sample or options.per_option
        tally = Tally(problem.cost.size, options.sample, options.seed) if is_tallied else None
        results = multiplicity.in_slices(
            problem, bounds, limit=options.limit, keep=options.keep, watch=watch, tally=tally
        )
    for found in results:
        yield found and lasting.outcome(puzzle, found, options)


def _multiple(cover: Cover, problem: Problem, options: Options) -> Puzzle:
    """Return a problem with multiplicities; its covers have scores if these are wanted."""
    puzzle = _puzzle(cover, problem)
    if options.target and cover.costs is not None:
        puzzle = _scored(cover, problem, cover.multiplicities, options)
    part = Parts(puzzle.problem, cover.multiplicities)
    return puzzle._replace(is_exact=False, part=part)


@lru_cache(maxsize=1)  # each turn of a divided search reads it again
def read(text: str, options: Options) -> Puzzle:
    """Return a cover problem as it is searched in parts.

    Raise PuzzleError if the text is not such a problem, or one too large to solve.
    """
    cover = decode(text)
    problem = problem_of(cover)
    if options.set_cover or cover.set_cover:
        return _set_cover(cover, problem, options)
    if cover.multiplicities is not None:
        return _multiple(cover, problem, options)
    return _exact(cover, problem, options)


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

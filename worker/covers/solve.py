"""Solve cover problems: from their JSON texts to outcomes."""

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from math import inf

import numpy as np

from worker.counting.cheapest import FromDiagram
from worker.counting.count import in_slices as count_in_slices
from worker.covers.decoding import decode
from worker.covers.radius import least_radius
from worker.covers.set_cover import set_covers
from worker.covers.text import Cover, option_numbers
from worker.errors import PuzzleError
from worker.exact_cover.costs.cheapest import Cheapest, cheapest, rounds_near
from worker.exact_cover.costs.cheapest import part_of as cheapest_part
from worker.exact_cover.costs.scores import Setup
from worker.exact_cover.parts.frontier import Levels
from worker.exact_cover.problem import Problem, distinct, number
from worker.exact_cover.solve import Found, in_slices, part_of
from worker.exact_cover.state import EXHAUSTED, TIMED_OUT
from worker.multiplicity import solve as multiplicity
from worker.multiplicity.tally import Tally
from worker.options import Options
from worker.outcome import (
    KeptSolution,
    Known,
    Outcome,
    Outcomes,
    Rest,
    Solution,
    count_unless_pruned,
    malformed,
    missing,
    proven_bound,
)
from worker.stopwatch import Stopwatch
from worker.turn import Work


def solve(
    texts: Sequence[str], options: Options, slice_seconds: float, budget: float = inf
) -> Iterator[Outcomes]:
    """Yield the outcomes of cover problems, in their order, after each slice of time.

    After `budget` seconds the search of a problem stops, and its outcome has a rest.
    """
    for text in texts:
        watch = Stopwatch(options.timeout, budget)
        try:
            cover = decode(text)
            problem = problem_of(cover)
        except PuzzleError as error:
            yield Outcomes.of([malformed("cover", f"this is no cover problem: {error}")])
            continue
        for outcomes in _solve_one(cover, problem, options, slice_seconds, watch):
            yield outcomes._replace(ns=[watch.ns] * len(outcomes.ns))


def _solve_one(
    cover: Cover, problem: Problem, options: Options, slice_seconds: float, watch: Stopwatch
) -> Iterator[Outcomes]:
    """Yield the outcome of a cover problem after empty ones, one for each slice of time."""
    if cover.distances is not None:
        return least_radius(cover, slice_seconds, watch)
    if cover.multiplicities is not None and options.set_cover:
        why = "a problem with multiplicities cannot be solved as a set cover"
        return iter([Outcomes.of([malformed("cover", why)])])
    if options.set_cover or cover.set_cover:
        return set_covers(cover, problem, options, slice_seconds, watch)
    if cover.multiplicities is not None:
        return _with_multiplicities(cover, problem, options, slice_seconds, watch)
    solve_one = _cheapest if options.target and cover.costs is not None else _any
    solve_one = _count if options.only_counts else solve_one
    return solve_one(cover.items, problem, options, slice_seconds, watch)


def work_on(text: str, options: Options, setup: Setup, levels: Levels, known: Known | None) -> Work:
    """Return how to search a part of a cover problem; `known` is the best cover so far."""
    _, problem, has_costs = read(text)
    if not options.target or not has_costs:
        plain, compared = _without_costs(problem), setup.pairs_compared
        return Work(
            option_numbers,
            lambda: (part_of(plain, options.limit, options.keep, compared, levels), None),
            None,
        )
    near = None
    if known and not options.every:
        near = partial(rounds_near, problem, setup, known.path, known.score, repr(levels))
    return Work(
        option_numbers,
        lambda: cheapest_part(problem, options.keep, setup, levels, visit_all=options.every),
        near,
    )


def _any(
    size: int, problem: Problem, options: Options, slice_seconds: float, watch: Stopwatch
) -> Iterator[Outcomes]:
    """Yield the covers in the order in which they are found; costs do not count."""
    results = in_slices(
        _without_costs(problem),
        limit=options.limit,
        keep=options.keep,
        slice_seconds=slice_seconds,
        watch=watch,
    )
    for found in results:
        yield Outcomes.of([] if found is None else [_outcome(size, found)])


def _count(
    size: int, problem: Problem, options: Options, slice_seconds: float, watch: Stopwatch
) -> Iterator[Outcomes]:
    """Yield the number of covers, and one of them or a sample; costs do not count."""
    results = count_in_slices(
        _without_costs(problem),
        memory=options.memory,
        slice_seconds=slice_seconds,
        watch=watch,
        sample=options.sample,
        seed=options.seed,
        per_option=options.per_option,
    )
    for found in results:
        yield Outcomes.of([] if found is None else [_counted(size, found, options)])


def _counted(size: int, found: Found, options: Options) -> Outcome:
    """Return the outcome of a count."""
    wanted = options.per_option and found.by_option is not None
    by_option = json.dumps(found.by_option) if wanted else None
    detail = missing(found.by_option, options, complete=found.status == EXHAUSTED)
    return _outcome(size, found)._replace(option_counts=by_option, detail=detail)


def _without_costs(problem: Problem) -> Problem:
    return problem._replace(cost=np.zeros_like(problem.cost))


def _cheapest(
    size: int, problem: Problem, options: Options, slice_seconds: float, watch: Stopwatch
) -> Iterator[Outcomes]:
    """Yield the covers that cost least, with the cost below zero as their score."""
    results = cheapest(
        problem,
        keep=options.keep,
        visit_all=options.every,
        slice_seconds=slice_seconds,
        watch=watch,
        second=lambda: FromDiagram(problem, options.keep, options.memory),
    )
    for result in results:
        yield Outcomes.of([] if result is None else [_best(size, result, options)])


def _with_multiplicities(
    cover: Cover, problem: Problem, options: Options, slice_seconds: float, watch: Stopwatch
) -> Iterator[Outcomes]:
    """Yield the covers with multiplicities: the cheapest ones, or any."""
    bounds = cover.multiplicities or ()
    if not options.target or cover.costs is None:
        is_tallied = options.sample or options.per_option
        results = multiplicity.in_slices(
            problem,
            bounds,
            limit=options.limit,
            keep=options.keep,
            slice_seconds=slice_seconds,
            watch=watch,
            tally=Tally(problem.cost.size, options.sample, options.seed) if is_tallied else None,
        )
        for found in results:
            yield Outcomes.of([] if found is None else [_counted(cover.items, found, options)])
        return
    cheapest_covers = multiplicity.cheapest(
        problem,
        bounds,
        keep=options.keep,
        visit_all=options.every,
        slice_seconds=slice_seconds,
        watch=watch,
    )
    for result in cheapest_covers:
        yield Outcomes.of([] if result is None else [_best(cover.items, result, options)])


def _best(size: int, result: Cheapest, options: Options) -> Outcome:
    """Return the outcome of a search for the cheapest covers."""
    outcome = _outcome(size, result.found)
    kept = tuple(
        one._replace(score=-cost)
        for one, (_, cost) in zip(outcome.kept, result.found.kept, strict=True)
    )
    scores = [one.score for one in kept]
    return outcome._replace(
        kept=kept,
        rest=_rest(result.found, result.setup),
        solutions=outcome.solutions if options.every else count_unless_pruned(scores, options),
        bound=proven_bound(-result.bound, outcome.complete, scores),
    )


@lru_cache(maxsize=1)  # each turn of a divided search reads it again
def read(text: str) -> tuple[int, Problem, bool]:
    """Return the number of items of an exact cover problem, the problem, and whether it has costs.

    Raise PuzzleError if the text is not such a problem, or one too large to solve.
    """
    cover = decode(text)
    if cover.set_cover:
        raise PuzzleError("this is a set cover; its search is not divided and cannot be estimated")
    if cover.multiplicities is not None:
        why = "this problem has multiplicities; its search is not divided and cannot be estimated"
        raise PuzzleError(why)
    return cover.items, problem_of(cover), cover.costs is not None


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
    named = distinct(problem.members)
    if keep_primary:
        named = np.union1d(named, np.arange(1, problem.primary + 1))
    elif np.count_nonzero(named <= problem.primary) < problem.primary:
        return number(1, 0, [[]] * problem.cost.size)
    members = np.searchsorted(named, problem.members) + 1
    return problem._replace(items=named.size, members=members.astype(np.uint32))


def _outcome(size: int, found: Found) -> Outcome:
    """Return the outcome of a search, without scores."""
    return Outcome(
        kind="cover",
        size=size,
        clues=None,
        solutions=found.found,
        complete=found.status == EXHAUSTED,
        timed_out=found.status == TIMED_OUT,
        kept=tuple(Solution(option_numbers(path), None) for path, _ in found.paths),
        bound=None,
        nodes=found.nodes,
        ns=found.ns,
        rest=_rest(found, Setup(found.pairs_compared)),
    )


def _rest(found: Found, setup: Setup | None) -> Rest | None:
    """Return what is left of a search, None if it has ended."""
    if found.frontier is None or setup is None:
        return None
    paths = found.paths
    if setup.is_pruned:  # parts may find them again, in another order
        paths = [(tuple(sorted(path)), cost) for path, cost in paths]
    scored = bool(setup.multipliers)
    kept = tuple(
        KeptSolution(-cost if scored else None, path, option_numbers(path)) for path, cost in paths
    )
    return Rest(found.frontier, setup.encode(), kept)

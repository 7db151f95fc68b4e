"""Exact cover problems: JSON -> the engine -> outcomes."""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from worker.covers.cost import LARGEST_COST
from worker.errors import PuzzleError
from worker.exact_cover import dlx
from worker.exact_cover.colour import plain
from worker.exact_cover.price import priced
from worker.exact_cover.problem import Problem, number
from worker.options import Options
from worker.outcome import Outcome, Outcomes, Solution, least_bound, malformed, seen

_MOST = f"{LARGEST_COST:,}"


def solve(texts: Sequence[str], options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """Outcomes of cover problems, as `search` gives them."""
    for text in texts:
        try:
            size, problem, has_costs = read(text)
        except PuzzleError as error:
            yield Outcomes.of([malformed("cover", f"this is no cover problem: {error}")])
            continue
        solve_one = _cheapest if options.target and has_costs else _any
        yield from solve_one(size, problem, options, slice_seconds)


def _any(size: int, problem: Problem, options: Options, slice_seconds: float) -> Iterator[Outcomes]:
    """The covers as they are found, whatever they cost."""
    searching = dlx.searching(
        problem._replace(cost=np.zeros_like(problem.cost)),
        limit=options.limit,
        keep=options.keep,
        slice_seconds=slice_seconds,
        timeout=options.timeout,
    )
    for found in searching:
        yield Outcomes.of([] if found is None else [_outcome(size, found)])


def _cheapest(
    size: int, problem: Problem, options: Options, slice_seconds: float
) -> Iterator[Outcomes]:
    """The covers that cost least: a score is a cost below zero."""
    cheaper, base = priced(problem)
    searching = dlx.searching(
        cheaper,
        keep=options.keep,
        prune=not options.every,
        slice_seconds=slice_seconds,
        timeout=options.timeout,
    )
    for found in searching:
        best = [] if found is None else [_best(_outcome(size, found, base), options, base)]
        yield Outcomes.of(best)


def _best(outcome: Outcome, options: Options, base: int) -> Outcome:
    """The same, of a search for the cheapest."""
    scores = [one.score for one in outcome.kept]
    return outcome._replace(
        solutions=outcome.solutions if options.every else seen(scores, options),
        bound=least_bound(-base, outcome.complete, scores),
    )


def read(text: str) -> tuple[int, Problem, bool]:
    """How many items a cover's text names, its problem, and whether it says what options cost.

    PuzzleError if it is no cover.
    """
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PuzzleError(f"the JSON cannot be read ({error})") from error
    if not isinstance(told, dict):
        raise PuzzleError("the JSON is no object")
    primary, secondary = _count(told, "items"), _count(told, "secondary")
    options = _options(told)
    costs, colours = _costs(told, len(options)), _colours(told, options, primary)
    count = secondary
    try:
        if colours is not None:
            number(primary, secondary, options)  # says what is wrong with them as they are
            count, options = plain(primary, secondary, options, colours)
        problem = _without_idle_items(number(primary, count, options, costs))
        return primary + secondary, problem, costs is not None
    except ValueError as error:
        raise PuzzleError(str(error)) from error


def _count(told: dict[str, Any], name: str) -> int:
    count = told.get(name, 0 if name == "secondary" else None)
    if type(count) is not int or count < 0:
        raise PuzzleError(f"`{name}` is no whole number from 0 on")
    return count


def _options(told: dict[str, Any]) -> list[list[int]]:
    options = told.get("options")
    if not isinstance(options, list):
        raise PuzzleError("`options` is no list")
    for k, option in enumerate(options, start=1):
        if not isinstance(option, list) or any(type(item) is not int for item in option):
            raise PuzzleError(f"option {k} is no list of item numbers")
    return options


def _costs(told: dict[str, Any], options: int) -> list[int] | None:
    costs = told.get("costs")
    if costs is None:
        return None
    if not isinstance(costs, list) or len(costs) != options:
        raise PuzzleError(f"`costs` is no list of {options} numbers, one for each option")
    for k, cost in enumerate(costs, start=1):
        if type(cost) is not int or not 0 <= cost <= LARGEST_COST:
            raise PuzzleError(f"the cost of option {k} is no whole number from 0 to {_MOST}")
    return costs


def _colours(
    told: dict[str, Any], options: list[list[int]], primary: int
) -> list[list[tuple[int, str]]] | None:
    """Of each option the secondary items that have a colour in it."""
    colours = told.get("colours")
    if colours is None:
        return None
    if not isinstance(colours, list) or len(colours) != len(options):
        raise PuzzleError(f"`colours` is no list of {len(options)} lists, one for each option")
    for k, (some, option) in enumerate(zip(colours, options, strict=True), start=1):
        if not (isinstance(some, list) and all(_is_coloured(one, option, primary) for one in some)):
            raise PuzzleError(f"the colours of option {k} are no pairs of item and colour")
    return [[(item, colour) for item, colour in some] for some in colours]


def _is_coloured(pair: Any, option: list[int], primary: int) -> bool:
    """A secondary item of the option, and a text."""
    if not (isinstance(pair, list) and len(pair) == 2):
        return False
    item, colour = pair
    return type(item) is int and item > primary and item in option and type(colour) is str


def _without_idle_items(problem: Problem) -> Problem:
    """The same problem in memory that its options are worth: a count alone might be anything.

    Secondary items that no option names are left out.  If one of the primary items is not
    named, there is no cover, and a problem as small as can be says so.
    """
    named = np.unique(problem.members)
    if np.count_nonzero(named <= problem.primary) < problem.primary:
        return number(1, 0, [])
    members = np.searchsorted(named, problem.members) + 1
    return problem._replace(items=named.size, members=members.astype(np.uint32))


def _outcome(size: int, found: dlx.Found, base: int | None = None) -> Outcome:
    """What a search found; with a `base`, a score is that and the cost, below zero."""
    return Outcome(
        kind="cover",
        size=size,
        clues=None,
        solutions=found.found,
        complete=found.status == dlx.EXHAUSTED,
        timed_out=found.status == dlx.TIMED_OUT,
        kept=tuple(
            Solution(
                " ".join(str(option + 1) for option in chosen),
                None if base is None else -base - cost,
            )
            for chosen, cost in found.kept
        ),
        bound=None,
        nodes=found.nodes,
        ns=found.ns,
    )

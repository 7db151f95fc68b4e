"""Whether the outcome of a puzzle agrees with what an independent solver finds."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from tests.differential.families import BEST_FIRST, LISTING
from tests.differential.model import Chosen, Model, chosen_by, model_of
from tests.differential.oracles import MOST
from worker.options import Options
from worker.outcome import Outcome


class NotCompared(Exception):
    """A puzzle has more solutions than are compared, or was not solved in time."""


def faults(text: str, options: Options, outcome: Outcome, oracle: str) -> Iterator[str]:
    """Yield what is wrong with an outcome; raise NotCompared."""
    model = model_of(text, options)
    if outcome.detail:
        yield outcome.detail
        return
    yield from _wrong_solutions(text, model, options, outcome)
    if outcome.timed_out:
        raise NotCompared
    if oracle in BEST_FIRST:
        some = list(islice(BEST_FIRST[oracle](model), options.keep))
        yield from _wrong_best(options, outcome, [model.value(one) for one in some])
        return
    found = list(islice(LISTING[oracle](model), MOST + 1))
    is_limited = options.limit is not None and not _wants_best(options)
    if len(found) > MOST and not is_limited:
        raise NotCompared
    if any(not model.is_solution(one) for one in found[:9]):
        raise AssertionError(f"{oracle} found what is no solution of {text}")
    if _wants_best(options):
        values = sorted((model.value(one) for one in found), reverse=True)
        yield from _wrong_best(options, outcome, values)
        yield from _wrong_number(options, outcome, len(found))
    else:
        yield from _wrong_search(model, options, outcome, found)


def _wants_best(options: Options) -> bool:
    return options.target or (options.set_cover and options.at_most is None)


def _wrong_solutions(text: str, model: Model, options: Options, outcome: Outcome) -> Iterator[str]:
    """Yield what is wrong with the kept solutions themselves."""
    kept = [chosen_by(text, one.text) for one in outcome.kept]
    if len(set(kept)) < len(kept) and not options.sample:
        yield "a solution is kept twice"
    for one, chosen in zip(outcome.kept, kept, strict=True):
        if not model.is_solution(chosen):
            yield f"{one.text} is no solution"
        if one.score != (model.value(chosen) if _wants_best(options) else None):
            yield f"{one.text} has the score {one.score}, not {model.value(chosen)}"


def _wrong_best(options: Options, outcome: Outcome, best: Sequence[int]) -> Iterator[str]:
    """Yield what differs from the values of the best solutions, the highest first."""
    scores = [one.score for one in outcome.kept]
    if scores != list(best[: options.keep]):
        yield f"the best scores are {scores}, not {best[: options.keep]}"
    if (outcome.complete, outcome.bound) != (True, best[0] if best else None):
        yield f"complete {outcome.complete}, bound {outcome.bound}, best {best[:1]}"


def _wrong_number(options: Options, outcome: Outcome, number: int) -> Iterator[str]:
    expected = number if options.every or number < options.keep else None
    if outcome.solutions != expected:
        yield f"{outcome.solutions} solutions, not {expected}"


def _wrong_search(
    model: Model, options: Options, outcome: Outcome, found: Sequence[Chosen]
) -> Iterator[str]:
    """Yield what differs from all solutions where the scores do not count."""
    number, limit = len(found), MOST + 1 if options.limit is None else options.limit
    if (outcome.solutions, outcome.complete) != (min(number, limit), number < limit):
        yield f"{outcome.solutions} solutions, complete {outcome.complete}; not {number}"
    keep = options.sample or options.keep
    kept = min(keep, number, limit) if not options.sample or number == 0 else options.sample
    if len(outcome.kept) != kept:
        yield f"{len(outcome.kept)} solutions are kept, not {kept}"
    if options.per_option:
        yield from _wrong_counts(model, outcome, found)


def _wrong_counts(model: Model, outcome: Outcome, found: Sequence[Chosen]) -> Iterator[str]:
    """Yield whether the numbers of solutions with each option differ."""
    times = Counter(option for chosen in found for option in chosen)
    expected = [times[option] for option in range(len(model.options))]
    given = json.loads(outcome.option_counts or "null")
    if outcome.kind == "sudoku" and given is not None:
        given = [number for cell in given for number in cell]
    if given != expected:
        yield f"the numbers of solutions with each option are {given}, not {expected}"

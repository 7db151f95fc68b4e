"""Estimates of searches as a table and as JSON."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cli.formatting import align, amount, count, ends, shorten, span, sum_of
from worker.estimate.estimate import Estimate
from worker.options import Options

#: columns of the longest label that is shown
LABEL_COLUMNS = 24


class Estimated(NamedTuple):
    """A puzzle of the input, and the estimate of its search or why it is no puzzle."""

    position: int  #: in the input, from 1
    label: str | None
    estimate: Estimate | None
    error: str | None = None


def table(found: Sequence[Estimated], options: Options, processes: int) -> Iterator[str]:
    """Yield the lines of a table, with sums if there are several puzzles, and what they mean."""
    on = "1 process" if processes == 1 else f"{processes} processes"
    rows = [["puzzle", "label", "nodes", f"time on {on}", "solutions"]]
    rows += [_row(one, processes) for one in found]
    estimates = [one.estimate for one in found if one.estimate]
    if len(estimates) > 1:
        total = [sum_of([one.nodes for one in estimates])]
        total += [sum_of([one.seconds(processes) for one in estimates])]
        rows.append(["total", "", amount(total[0]), span(total[1]), ""])
    if not any(row[1] for row in rows[1:]):
        rows = [[row[0], *row[2:]] for row in rows]
    yield from align(rows, "><" + "<" * (len(rows[0]) - 2))
    yield from _explanations([one for one in estimates if not one.exact], options)


def _row(one: Estimated, processes: int) -> list[str]:
    row = [str(one.position), shorten(one.label or "", LABEL_COLUMNS)]
    if one.estimate is None:
        return [*row, f"invalid: {one.error}", "", ""]
    solutions = one.estimate.solutions
    return [
        *row,
        amount(one.estimate.nodes),
        span(one.estimate.seconds(processes)),
        "" if solutions is None else amount(solutions),
    ]


def _explanations(estimates: Sequence[Estimate], options: Options) -> Iterator[str]:
    """Yield what a table of estimated numbers does not show."""
    if estimates and options.target and not options.every:
        yield (
            "The ranges are for a proof that nothing exceeds the best score found so far; "
            "if a better one is found, it takes less."
        )
    elif estimates and options.limit is not None:
        limit = count(options.limit, "solution")
        yield f"The search stops at {limit}; how early these are found is a guess."


def as_json(found: Sequence[Estimated], processes: int) -> str:
    """Return the estimates as JSON, an object for each puzzle."""
    return json.dumps([_object(one, processes) for one in found], indent=2)


def _object(one: Estimated, processes: int) -> dict[str, Any]:
    found = {"position": one.position, "label": one.label}
    if one.estimate is None:
        return {**found, "error": one.error}
    estimate = one.estimate
    return {
        **found,
        "exact": estimate.exact,
        "nodes": ends(estimate.nodes, 0),
        "seconds": ends(estimate.seconds(processes), 6),
        "processes": processes,
        "solutions": None if estimate.solutions is None else ends(estimate.solutions, 0),
        "ns_per_node": round(estimate.ns_per_node, 1),
    }

"""`bullseye estimate`: predicts the size and the time of searches, without making them."""

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from cli.errors import Exit
from cli.formatting import align, amount, count, ends, shorten, span, sum_of
from cli.input.request import Request, puzzle_options
from cli.options import command, json_option
from cli.parameters import MAX_PROCESSES, Integer
from cli.streams import echo
from worker.options import MAX_SEED, Options

if TYPE_CHECKING:
    from worker.estimate.estimate import Estimate
    from worker.intake.spool import Spool

#: columns of the longest label that is shown
LABEL_COLUMNS = 24


class Estimated(NamedTuple):
    """A puzzle of the input, and the estimate of its search or why it is no puzzle."""

    position: int  #: in the input, from 1
    label: str | None
    estimate: "Estimate | None"
    error: str | None = None


@command
@puzzle_options
@click.option(
    "-j",
    "--processes",
    type=Integer(1, MAX_PROCESSES),
    metavar="N",
    default=1,
    show_default=True,
    help="Divide the times by N.",
)
@click.option(
    "--seed",
    "sampling_seed",
    type=Integer(0, MAX_SEED),
    metavar="N",
    default=0,
    show_default=True,
    help="Seed of the random samples; the same seed gives the same nodes.",
)
@json_option
def estimate(*, request: Request, processes: int, sampling_seed: int, as_json: bool) -> None:
    """Predict how many nodes, how much time and how many solutions a search has.

    FILE is a path, - for stdin, or a puzzle written as one line. Each puzzle is
    searched for a moment. If that does not finish it, random samples of its
    search tree are taken. Numbers are ranges; about 19 of 20 hold the truth.
    A number without a range is exact. Nothing is stored.

    \b
    Examples:
      bullseye estimate --limit all queens.dlx
      bullseye estimate --target -j 8 --json target.txt
    """
    from cli.input.files import dry_run, spooled

    if request.dry_run:
        dry_run(request)
        return
    with spooled(request, "estimate") as spool:
        found = list(_estimate_all(request, spool, sampling_seed))
    if as_json:
        click.echo(json.dumps([_object(one, processes) for one in found], indent=2))
    else:
        for line in _table(found, request.options, processes):
            echo(line)
    if any(one.estimate is None for one in found):
        raise click.exceptions.Exit(Exit.SOME_FAILED)


def _estimate_all(request: Request, spool: "Spool", seed: int) -> Iterator[Estimated]:
    """Yield the estimate of each puzzle, in order."""
    from worker.errors import PuzzleError
    from worker.estimate.estimate import estimate as estimate_one
    from worker.estimate.estimate import warm_up

    blocks = chain.from_iterable(spool.portions())
    for entry in chain.from_iterable(block.entries() for block in blocks):
        found, error = None, entry.error
        if entry.kind is not None:
            warm_up(entry.kind)  # compiling must not count as searching
            try:
                found = estimate_one(entry.kind, entry.text, request.options, seed=seed)
            except PuzzleError as problem:
                error = str(problem)
        yield Estimated(entry.line, entry.label, found, error)


def _table(found: Sequence[Estimated], options: Options, processes: int) -> Iterator[str]:
    """Yield the lines of a table, with sums if there are several puzzles, and what they mean."""
    on = f"time on {processes} process{'' if processes == 1 else 'es'}"
    rows = [["puzzle", "label", "nodes", on, "solutions"]]
    rows += [_row(one, processes) for one in found]
    estimates = [one.estimate for one in found if one.estimate]
    if len(estimates) > 1:
        nodes = sum_of([one.nodes for one in estimates])
        seconds = sum_of([one.seconds(processes) for one in estimates])
        rows.append(["total", "", amount(nodes), span(seconds), ""])
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


def _explanations(estimates: "Sequence[Estimate]", options: Options) -> Iterator[str]:
    """Yield what a table of estimated numbers does not show."""
    if estimates and options.target and not options.every:
        yield (
            "The ranges are for a proof that nothing exceeds the best score found so far; "
            "if a better one is found, it takes less."
        )
    elif estimates and options.limit is not None:
        limit = count(options.limit, "solution")
        yield f"The search stops at {limit}; how early these are found is a guess."


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
        "ns_per_node": round(estimate.short.ns_per_node, 1),
    }

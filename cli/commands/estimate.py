"""`bullseye estimate`: predicts the size and the time of searches, without making them."""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

import click

from cli.errors import Exit
from cli.input.request import Request, puzzle_options
from cli.options import Flag, command, json_option
from cli.parameters import MAX_PROCESSES, Integer
from cli.terminal import echo
from worker.options import MAX_SEED

if TYPE_CHECKING:
    from cli.estimates import Estimated
    from worker.intake.spool import Spool


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
    Flag.SEED,
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
    from cli import estimates
    from cli.input.dry_run import dry_run
    from cli.input.spool import spooled

    if request.dry_run:
        dry_run(request)
        return
    with spooled(request, "estimate") as spool:
        found = list(_estimate_all(request, spool, sampling_seed))
    if as_json:
        click.echo(estimates.as_json(found, processes))
    else:
        for line in estimates.table(found, request.options, processes):
            echo(line)
    if any(one.estimate is None for one in found):
        raise click.exceptions.Exit(Exit.SOME_FAILED)


def _estimate_all(request: Request, spool: "Spool", seed: int) -> "Iterator[Estimated]":
    """Yield the estimate of each puzzle, in order."""
    from cli.estimates import Estimated
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

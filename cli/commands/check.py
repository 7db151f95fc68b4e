"""`bullseye check`: checks proofs."""

from typing import TYPE_CHECKING

import click

from cli.options import command
from cli.parameters import InputFile, Integer, Timeout
from storage.values import MAX_INTEGER

if TYPE_CHECKING:
    from worker.proof.check import Problem


@command
@click.argument("files", metavar="FILE...", type=InputFile(), nargs=-1, required=True)
@click.option(
    "--sample",
    metavar="K",
    type=Integer(0, MAX_INTEGER),
    help="Count K parts of a divided search again.  [default: all]",
)
@click.option(
    "--seed",
    metavar="N",
    type=Integer(0, MAX_INTEGER),
    help="Seed of the random order of parts.  [default: another each time]",
)
@click.option(
    "--timeout",
    metavar="S",
    type=Timeout(),
    default=60.0,
    show_default=True,
    help="Stop after S seconds per file.",
)
def check(files: tuple[str, ...], sample: int | None, seed: int | None, timeout: float) -> None:
    """Check proofs that `prove` or `solve --prove` wrote.

    Prints what each file proves. Exits with 1 if a proof is wrong, and with 65
    if a file is not a proof or cannot be checked in time. Needs neither the
    database nor the solver; examples/check.py is the same program in a file of
    its own.

    The proof of a divided search is a list of its parts, with the number of
    solutions in each. They are counted again in random order, by a search that
    shares nothing with the solver.

    \b
    Examples:
      bullseye check 61.proof
      bullseye check --sample 20 queens.proof
    """
    from worker.proof.check import main

    if code := main(files, sample=sample, seed=seed, seconds=timeout, counter=_count):
        raise click.exceptions.Exit(code)


def _count(problem: "Problem", options: int) -> int:
    """Return the number of covers by these options."""
    from worker.proof.branches import count  # takes 0.4 s, which few proofs need

    return count(problem, options)

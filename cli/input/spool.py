"""From the files of the command line to a spool of puzzles."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from cli.formatting import count, shorten
from cli.input.dry_run import SHOWN, opened
from cli.input.source import scored
from cli.options import Request
from worker.errors import BadInput
from worker.intake.spool import Spool, new_spool

if TYPE_CHECKING:
    from cli.verify.given_solutions import GivenSolutions


@contextmanager
def spooled(asked: Request, program: str, given: "GivenSolutions | None" = None) -> Iterator[Spool]:
    """Everything that the files hold, read; raise BadInput where a line is no puzzle.

    Solutions that they give are noted in `given`.
    """
    if asked.files.count("-") > 1:
        raise click.UsageError("stdin (-) can be read only once.")
    with new_spool() as spool:
        for file in asked.files:
            with opened(asked, file) as source:
                blocks = scored(source.blocks(), asked.options, source.name)
                spool.add(source, given.noted(blocks, source.name) if given else blocks)
        if spool.faults and not asked.skip_bad:
            raise BadInput(_bad_words(spool, asked, program))
        yield spool


def _bad_words(spool: Spool, asked: Request, program: str) -> str:
    """Describe the first fault, and the options that help."""
    fault = spool.faults[0]
    one = spool.fault_count == 1
    lines = "line" if spool.puzzles == 1 else "lines"
    dry_run = shlex.join(["bullseye", program, "-n", *asked.files])
    return (
        f"{fault.source} line {fault.line}: {fault.error}\n"
        f"{shorten(fault.text, SHOWN)}\n"
        f"{count(spool.fault_count)} of {count(spool.puzzles)} {lines} {'is' if one else 'are'} "
        f"like this. Skip {'it' if one else 'them'} with --skip-bad, or see all: {dry_run}"
    )

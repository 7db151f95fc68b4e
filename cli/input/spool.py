"""Reads all input files into one spool, before anything is stored."""

import shlex
from collections.abc import Iterator
from contextlib import contextmanager

import click

from cli.formatting import count, shorten
from cli.input.request import Request
from cli.options import flag
from cli.verify.given_solutions import GivenSolutions
from worker.errors import BadInput
from worker.formats.source import open_source
from worker.intake.spool import Spool, suited

#: columns of an invalid line that a message quotes
QUOTED_COLUMNS = 72


@contextmanager
def spooled(request: Request, command: str, given: GivenSolutions | None = None) -> Iterator[Spool]:
    """Yield a spool of all puzzles in the request's files.

    Solutions that the files give are recorded in `given`.  Raises BadInput, naming the first
    invalid line and a dry run of `command`, unless `--skip-bad` was given.
    """
    if request.files.count("-") > 1:
        raise click.UsageError("stdin (-) can be read only once.")
    with Spool() as spool:
        for file in request.files:
            with open_source(file, request.format) as source:
                blocks = suited(source.blocks(), request.options, source.name, flag)
                if given:
                    blocks = given.record(blocks, source.name, source.layout)
                spool.add(source, blocks)
        if spool.faults and not request.skip_bad:
            raise BadInput(_bad_lines(spool, request, command))
        yield spool


def _bad_lines(spool: Spool, request: Request, command: str) -> str:
    first = spool.faults[0]
    verb, them = ("is", "it") if spool.fault_count == 1 else ("are", "them")
    lines = "line" if spool.puzzles == 1 else "lines"
    dry_run = shlex.join(["bullseye", command, "--dry-run", *request.files])
    return (
        f"{first.source} line {first.line}: {first.error}\n"
        f"{shorten(first.text, QUOTED_COLUMNS)}\n"
        f"{count(spool.fault_count)} of {count(spool.puzzles)} {lines} {verb} invalid. "
        f"Skip {them} with --skip-bad, or list {them}: {dry_run}"
    )

"""`bullseye solve`: solves puzzles on this machine, with nothing to set up."""

import time
from contextlib import ExitStack, closing
from functools import lru_cache
from typing import TYPE_CHECKING, TextIO

import click

from cli.errors import Exit
from cli.input.request import Request, input_options
from cli.options import (
    command,
    database_option,
    expect_option,
    format_option,
    output_option,
    processors,
    template_option,
    verify_option,
)
from cli.parameters import MAX_PROCESSES, Integer
from cli.streams import is_terminal, notify

if TYPE_CHECKING:
    from cli.progress.summary import Tally
    from cli.verify import GivenSolutions
    from storage.batches import Batch
    from worker.local.backend import Backend


@command
@input_options
@click.option(
    "-j",
    "--processes",
    type=Integer(1, MAX_PROCESSES),
    metavar="N",
    help="Number of processes.  [default: number of cores]",
)
@format_option
@template_option
@output_option
@click.option(
    "--prove",
    "proofs",
    metavar="DIR",
    help="Write a proof of each answer to DIR/ID.proof; see bullseye prove.",
)
@expect_option
@verify_option
@database_option
def solve(
    *,
    request: Request,
    processes: int | None,
    output_format: str | None,
    template: str | None,
    output: str | None,
    proofs: str | None,
    database: str | None,
) -> None:
    """Solve puzzle files on this machine and print the answers in input order.

    FILE is a path, a folder, a pattern in quotes, - for stdin, or a puzzle
    written as one line. The format is detected from the content. All answers
    are also stored in the database. On a terminal, a single puzzle is drawn
    with its solution.

    \b
    Examples:
      bullseye solve puzzles.txt
      bullseye solve --target --keep 3 target.txt
      bullseye solve --count --timeout 600 tilings.dlx
      bullseye solve --count --sample 5 --seed 1 tilings.dlx
      bullseye solve --set-cover --at-most 5 queens.dlx
      bullseye solve -f judge judge.in | diff - judge.out
      bullseye solve --prove proofs puzzles.txt && bullseye check proofs/*
      bullseye solve --expect unique --template '{puzzle} {ms:.3f}' new.txt
    """
    from cli.input.files import dry_run
    from cli.output.destination import choose_format, open_output
    from cli.verify import given_solutions

    chosen = choose_format(output_format, output, template)
    if request.dry_run:
        dry_run(request)
        return
    with open_output(output) as out, given_solutions(request.verify, request.options) as given:
        began = time.monotonic()
        batch = _solve(request, processes or processors(), database, given)
        seconds = time.monotonic() - began
        if output_format is None and chosen == "table" and batch.puzzles == 1:
            chosen = "drawing"
        tally = _report(database, batch, chosen, template, given, out, seconds)
        if chosen == "table" and is_terminal(out) and tally.by_status["solved"]:
            shown = f"show a solution: bullseye show {batch.first_id}"
            notify(f"{shown} · print all: bullseye results {batch.id} -f grid")
        if proofs is not None:
            from cli.database import reading
            from cli.proofs import write_proofs

            with reading(database) as connection:
                notify(write_proofs(connection, batch, proofs))
        code = tally.conclude(batch.id, request.expect, given)
    if code:
        raise click.exceptions.Exit(code)


def _solve(
    request: Request, processes: int, database: str | None, given: "GivenSolutions | None"
) -> "Batch":
    """Read the files, solve them with a backend of their own, and return the batch.

    If it is interrupted or cancelled, print how much is answered, and how to go on.
    """
    from worker.errors import BatchLost
    from worker.local.backend import private, start_backend
    from worker.settings import Settings

    settings = private(Settings.from_env(database=database))
    notify_once = lru_cache(maxsize=None)(notify)
    backend: Backend | None = None
    display = None
    try:
        with ExitStack() as stack:
            if not request.is_small:
                backend = stack.enter_context(start_backend(settings, processes, notify_once))
            # Imported, and the input read, while the backend starts.
            from cli.database import upgrade_display
            from cli.input.files import spooled
            from cli.progress.display import ProgressDisplay
            from worker.local import solve as local

            spool = stack.enter_context(spooled(request, "solve", given))
            display = stack.enter_context(ProgressDisplay())
            in_process = local.start_in_process(settings, processes, notify_once, backend)
            solver = stack.enter_context(in_process)
            return local.solve(
                solver,
                spool,
                request.options,
                name=request.name,
                reuse=request.reuse,
                watch=display.poll,
                upgrade=stack.enter_context(upgrade_display()),
            )
    except (KeyboardInterrupt, BatchLost) as error:
        if not (display and display.last):
            raise
        # Counted only now: the backend stored answers until it was killed.
        from cli.progress.summary import report_left

        report_left(database, display.last.batch.id, str(error) or "interrupted")
        if isinstance(error, BatchLost):
            raise click.exceptions.Exit(Exit.SOME_FAILED) from error
        raise


def _report(
    database: str | None,
    batch: "Batch",
    output_format: str,
    template: str | None,
    given: "GivenSolutions | None",
    out: TextIO,
    seconds: float,
) -> "Tally":
    """Write all answers, compared with those that are given, then the summary to stderr."""
    from cli.database import connect
    from cli.output.writers import find_writer
    from cli.progress.summary import tally_of
    from storage.database import read

    with connect(database) as (settings, engine), read(engine) as connection:
        tally = tally_of(connection, batch)
        writer = find_writer(
            connection, output_format, batch, template=template, as_rows=given is not None
        )
        with closing(writer.read(batch=batch.id)) as found:
            answers = given.compare_all(found) if given else found
            writer.write(answers, out)
            for _ in answers if given else ():  # left by a pager that was quit, but compared
                pass
        out.flush()
    tally.report(batch, seconds, settings)
    return tally

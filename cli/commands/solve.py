"""`bullseye solve`: here and now, nothing set up."""

import signal
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn, TextIO

import click

from cli.commands.worker import cores
from cli.options import Request, command, database_option, input_options
from cli.output.destination import format_for, format_option, opened, output_option, template_option
from cli.parameters import Whole
from cli.verify.expect import expect_option, verify_option

if TYPE_CHECKING:
    from cli.output.row import AnswerRow
    from cli.progress.summary import Tally
    from cli.verify.given_solutions import GivenSolutions
    from storage.batches import Batch
    from storage.queries.progress import Progress
    from worker.intake.spool import Spool
    from worker.local.backend import Backend


@command
@input_options
@click.option(
    "-j",
    "--processes",
    type=Whole(1, 4096),
    metavar="N",
    help="Processes.  [default: cores]",
)
@format_option
@template_option
@output_option
@expect_option
@verify_option
@database_option
def solve(
    *,
    asked: Request,
    processes: int | None,
    output_format: str | None,
    template: str | None,
    output: str | None,
    expect: str | None,
    verify: bool,
    database: str | None,
) -> None:
    """Solve puzzle files here and now, and print the answers in their order.

    FILE is a path, - for stdin, or a literal puzzle in one line. Formats are
    found out by content. All answers are kept in the database, too.

    \b
    Examples:
      bullseye solve puzzles.txt
      bullseye solve --target --keep 3 target.txt
      bullseye solve -f judge judge.in | diff - judge.out
      bullseye solve --expect unique --template '{puzzle} {ms:.3f}' new.txt
    """
    from cli.input.dry_run import dry_run
    from cli.verify.expect import held, refuse_what_cannot_be_expected

    chosen = format_for(output_format, output, template)
    refuse_what_cannot_be_expected(expect, asked.options)
    if asked.dry_run:
        dry_run(asked, verify=verify)
        return
    from cli.verify.given_solutions import given_by

    with opened(output) as out, given_by(verify, asked.options) as given:
        batch, spent = _solved(asked, processes or cores(), database, given)
        tally = _print(
            batch, spent, out, given, chosen=chosen, template=template, database=database
        )
        found = given.told() if given else 0
    if code := held(expect, tally, batch.id) or found or tally.exit:
        raise click.exceptions.Exit(code)


def _solved(
    asked: Request, processes: int, database: str | None, given: "GivenSolutions | None"
) -> tuple["Batch", float]:
    """The batch, and the seconds from the first line of the input to the last answer."""
    from cli.formatting import notify
    from worker.local.backend import start_backend
    from worker.settings import Settings

    _end_as_by_ctrl_c()
    began = time.monotonic()
    with start_backend(Settings.from_env(database=database), processes, notify) as backend:
        # Loaded only now, and the input read: while the backend starts.
        from cli.input.spool import spooled

        with spooled(asked, "solve", given) as spool:
            batch = _followed(asked, backend, spool)
    return batch, time.monotonic() - began


def _followed(asked: Request, backend: "Backend", spool: "Spool") -> "Batch":
    """Progress is shown; what an interruption leaves is told."""
    from cli.formatting import notify
    from cli.progress.display import ProgressDisplay
    from worker.local import solve as local

    with ProgressDisplay() as follower:
        try:
            return local.solve(
                backend,
                spool,
                asked.options,
                name=asked.name,
                reuse=asked.reuse,
                watch=follower.watch,
            )
        except KeyboardInterrupt:
            follower.close()
            if follower.seen:
                notify(_kept(follower.seen))
            raise


def _print(
    batch: "Batch",
    spent: float,
    out: TextIO,
    given: "GivenSolutions | None",
    *,
    chosen: str,
    template: str | None,
    database: str | None,
) -> "Tally":
    """The answers, and the line that sums them up."""
    from cli import database as session
    from cli.formatting import duration, notify
    from cli.output.answers import answers_of, writer
    from cli.progress.summary import Tally, reused
    from storage.database import read

    tally = Tally()
    with session.opened(database) as (settings, engine), read(engine) as connection:
        write = writer(chosen, batch, template)
        # Not held by a name: what reads from the database must not outlive its connection.
        write(_compared(tally.over(answers_of(connection, batch)), given), out)
    out.flush()
    notify(
        tally.sentence(
            reused(batch), duration(spent), f"batch {batch.id} in {session.place(settings)}"
        )
    )
    return tally


def _compared(
    answers: "Iterator[AnswerRow]", given: "GivenSolutions | None"
) -> "Iterator[AnswerRow]":
    """The same answers, held against the solutions that the files give, if they are wanted."""
    return given.over(answers) if given else answers


def _end_as_by_ctrl_c() -> None:
    """SIGTERM and a closed terminal end the batch in order, too, not only this process."""

    def end(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)


def _kept(progress: "Progress") -> str:
    """What an interruption leaves."""
    from cli.formatting import count

    batch = progress.batch
    answered = f"{count(progress.answered)} of {count(batch.puzzles, 'puzzle')}"
    return (
        f"interrupted · {answered} answered and kept in batch {batch.id}"
        f" · go on with: bullseye retry {batch.id}"
    )

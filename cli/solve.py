"""`bullseye solve`: here and now, nothing set up."""

import signal
import time
from typing import TYPE_CHECKING, NoReturn

import click

from cli.options import Asked, command, database_option, input_options
from cli.output import format_for, format_option, output_option

if TYPE_CHECKING:
    from storage.batches import Batch
    from storage.queries import Progress
    from worker.settings import Settings
    from worker.submit import Spool


@command
@input_options
@click.option(
    "-j",
    "--processes",
    type=click.IntRange(1, 4096),
    metavar="N",
    help="Processes.  [default: cores]",
)
@format_option
@output_option
@database_option
def solve(
    asked: Asked,
    processes: int | None,
    output_format: str | None,
    output: str | None,
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
    """
    from cli.dry_run import dry_run

    if asked.dry_run:
        dry_run(asked)
        return
    from cli.input import spooled

    chosen = format_for(output_format, output)
    with spooled(asked, "solve") as spool:
        _solve(asked, spool, processes=processes, chosen=chosen, output=output, database=database)


def _solve(
    asked: Asked,
    spool: "Spool",
    *,
    processes: int | None,
    chosen: str,
    output: str | None,
    database: str | None,
) -> None:
    from cli.answers import answers_of, writer
    from cli.output import opened as opened_output
    from cli.screen import duration, say
    from cli.session import opened, place
    from cli.summary import Tally
    from storage.database import read
    from worker.settings import Settings

    began = time.monotonic()
    tally = Tally()
    with opened_output(output) as out:
        batch = _solved(asked, spool, processes, Settings.from_env(database=database))
        spent = time.monotonic() - began
        with opened(database) as (settings, engine), read(engine) as connection:
            writer(chosen, batch)(tally.over(answers_of(connection, batch)), out)
        out.flush()
        say(tally.sentence(duration(spent), f"batch {batch.id} in {place(settings)}"))
    if tally.exit:
        raise click.exceptions.Exit(tally.exit)


def _solved(asked: Asked, spool: "Spool", processes: int | None, settings: "Settings") -> "Batch":
    from cli.follow import Follower
    from cli.screen import say
    from cli.worker import cores
    from worker import local

    _end_as_by_ctrl_c()
    with Follower() as follower:
        try:
            return local.solve(
                settings,
                spool,
                asked.options,
                name=asked.name,
                processes=processes or cores(),
                tell=say,
                watch=follower.watch,
            )
        except KeyboardInterrupt:
            follower.close()
            if follower.seen:
                say(_kept(follower.seen))
            raise


def _end_as_by_ctrl_c() -> None:
    """SIGTERM and a closed terminal end the batch in order, too, not only this process."""

    def end(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)


def _kept(progress: "Progress") -> str:
    """What an interruption leaves."""
    from cli.screen import count

    batch = progress.batch
    answered = f"{count(progress.answered)} of {count(batch.puzzles, 'puzzle')}"
    return (
        f"interrupted · {answered} answered and kept in batch {batch.id}"
        f" · go on with: bullseye retry {batch.id}"
    )

"""`--expect unique`: the exit code reports whether every puzzle has exactly one solution."""

from typing import TYPE_CHECKING

import click

from cli.errors import Exit
from cli.formatting import count
from cli.streams import notify
from worker.options import Options

if TYPE_CHECKING:  # it loads SQLAlchemy
    from cli.progress.summary import Tally


def report_expectation(expect: str | None, tally: "Tally", batch: int) -> Exit:
    """Return 0 if all answers are as expected; else print how many are not and return 1."""
    total = tally.by_status.total()
    if expect is None or tally.unique == total:
        return Exit.DONE
    others = total - tally.unique
    verb = "is" if others == 1 else "are"
    notify(
        f"expected unique: {count(others)} of {count(total, 'puzzle')} {verb} not"
        f" · list them: bullseye results {batch} --where 'solutions <> 1 or complete = 0'"
    )
    return Exit.SOME_FAILED


def check_expectation(expect: str | None, options: Options) -> None:
    """Raise UsageError if the solving options cannot show that a solution is unique."""
    best = "--target" if options.target else "--set-cover"
    if expect and (options.target or (options.set_cover and options.at_most is None)):
        raise click.UsageError(
            f"--expect unique cannot be combined with {best}, which does not count solutions."
        )
    if expect and options.limit == 1:
        raise click.UsageError(
            "--expect unique needs --limit 2 or more, to search for a second solution."
        )

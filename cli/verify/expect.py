"""`--expect unique`: a collection is checked, and the exit code says whether it held.

Beside it stands the option of `verify`, which loads more.
"""

from typing import TYPE_CHECKING

import click

from cli.errors import Exit
from cli.formatting import count, notify
from worker.options import Options

if TYPE_CHECKING:
    from cli.progress.summary import Tally

expect_option = click.option(
    "--expect",
    type=click.Choice(["unique"]),
    metavar="unique",
    help="Exit with 1 unless every puzzle has exactly one solution.",
)

verify_option = click.option(
    "--verify",
    is_flag=True,
    help="Compare with the solutions that the files give; exit with 1 if one is wrong.",
)


def refuse_what_cannot_be_expected(expect: str | None, options: Options) -> None:
    """A usage error where the options do not let anybody know."""
    if expect and options.target:
        raise click.UsageError(
            "--expect unique does not go with --target, which counts no solutions."
        )
    if expect and options.limit == 1:
        raise click.UsageError("--expect unique has to look for a second solution: --limit 2.")


def held(expect: str | None, tally: "Tally", batch: int) -> Exit:
    """Say it if not, and where to look; the exit code that follows."""
    total = tally.by_status.total()
    if expect is None or tally.unique == total:
        return Exit.DONE
    others = total - tally.unique
    notify(
        f"expected unique: {count(others)} of {count(total, 'puzzle')} "
        f"{'is' if others == 1 else 'are'} not"
        f" · list them: bullseye results {batch} --where 'solutions <> 1 or complete = 0'"
    )
    return Exit.SOME_FAILED

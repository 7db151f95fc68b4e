"""`--expect unique`: the exit code reports whether every puzzle has exactly one solution."""

from cli.errors import Exit
from cli.formatting import count
from cli.progress.summary import Tally
from cli.terminal import notify


def report_expectation(expect: str | None, tally: Tally, batch: int) -> Exit:
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

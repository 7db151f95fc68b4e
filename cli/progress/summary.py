"""The summary line of a batch: puzzles, outcomes, time and database."""

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import click
from sqlalchemy import Connection

from cli.database import reading
from cli.errors import Exit
from cli.formatting import count, duration
from cli.streams import is_terminal, notify
from cli.verify import GivenSolutions
from storage.batches import Batch
from storage.database import display_name
from storage.errors import NoSuchBatch
from storage.queries.progress import OutcomeCount, count_outcomes, read_progress
from worker.settings import Settings

#: statuses that make the exit code 1
FAILURES = ("timeout", "invalid", "failed")
#: all statuses, in the order in which they are listed
STATUSES = ("solved", "none", *FAILURES)


def reused(batch: Batch) -> str:
    """Return how many answers were copied by `--reuse`; empty if it was not given."""
    number = batch.options.get("reused")
    return "" if number is None else f"{count(number)} reused"


def counted(by_status: Mapping[str, int], statuses: Sequence[str] = STATUSES) -> list[str]:
    """Return the number and the name of each of these statuses that occurs."""
    return [f"{count(number)} {one}" for one in statuses if (number := by_status.get(one, 0))]


def print_number(batch: Batch, settings: Settings) -> None:
    """Print the batch number: alone in a pipe, with a description on a terminal."""
    if is_terminal(sys.stdout):
        copied = f" ({reused(batch)})" if reused(batch) else ""
        where = f"{count(batch.puzzles, 'puzzle')}{copied} in {display_name(settings.database_url)}"
        click.echo(f"{batch.title}: {where}")
    else:
        click.echo(batch.id)


@dataclass(slots=True)
class Tally:
    """Counts of answers by what the summary line reports."""

    by_status: Counter[str] = field(default_factory=Counter)
    unique: int = 0
    multiple: int = 0
    scored: int = 0
    proven: int = 0
    best: int | None = None

    def add(self, outcome: OutcomeCount) -> None:
        """Count the answers of one outcome."""
        self.by_status[outcome.status] += outcome.puzzles
        if outcome.best is not None:
            self.scored += outcome.puzzles
            self.proven += outcome.puzzles if outcome.complete else 0
            self.best = outcome.best if self.best is None else max(outcome.best, self.best)
        elif outcome.status == "solved" and outcome.solutions is not None:
            self.unique += outcome.puzzles if outcome.solutions == 1 and outcome.complete else 0
            self.multiple += outcome.puzzles if outcome.solutions > 1 else 0

    @property
    def exit(self) -> Exit:
        """1 if a puzzle failed, timed out or was invalid, else 0."""
        failed = any(self.by_status[status] for status in FAILURES)
        return Exit.SOME_FAILED if failed else Exit.DONE

    def line(self, *more: str, puzzles: int | None = None) -> str:
        """Return the summary line, followed by `more`; empty parts are left out.

        `puzzles` is the size of the batch, if some of it may be unanswered.
        """
        total = self.by_status.total()
        if puzzles and puzzles > total:
            size = f"{count(total)} of {count(puzzles, 'puzzle')}"
        else:
            size = count(total, "puzzle")
        parts = [size, self._solved(), *counted(self.by_status, ("none", *FAILURES)), *more]
        return " · ".join(part for part in parts if part)

    def report(self, batch: Batch, seconds: float | None, settings: Settings) -> None:
        """Print the summary line of a batch on stderr."""
        took = "" if seconds is None else duration(seconds)
        where = f"batch {batch.id} in {display_name(settings.database_url)}"
        notify(self.line(reused(batch), took, where, puzzles=batch.puzzles))

    def conclude(self, batch: int, expect: str | None, given: GivenSolutions | None) -> Exit:
        """Report what `--verify` and `--expect` find; return 1 if they or a puzzle failed."""
        verified = given.report() if given else Exit.DONE
        return max(verified, self._report_expectation(batch, expect), self.exit)

    def _report_expectation(self, batch: int, expect: str | None) -> Exit:
        total = self.by_status.total()
        if expect is None or self.unique == total:
            return Exit.DONE
        others = total - self.unique
        verb = "is" if others == 1 else "are"
        notify(
            f"expected unique: {count(others)} of {count(total, 'puzzle')} {verb} not"
            f" · list them: bullseye results {batch} --where 'solutions <> 1 or complete = 0'"
        )
        return Exit.SOME_FAILED

    def _solved(self) -> str:
        solved = self.by_status["solved"]
        if not solved:
            return ""
        kinds = [f"{count(self.unique)} unique"] if self.unique else []
        kinds += [f"{count(self.multiple)} multiple"] if self.multiple else []
        kinds += [f"{count(self.proven)} proven optimal"] if self.scored else []
        text = f"{count(solved)} solved" + (f" ({', '.join(kinds)})" if kinds else "")
        return text if self.best is None else f"{text} · best {self.best}"


def tally_of(connection: Connection, batch: Batch) -> Tally:
    """Return the counts of a batch's answers."""
    tally = Tally()
    for outcome in count_outcomes(connection, batch.id):
        tally.add(outcome)
    return tally


def report_left(database: str | None, batch_id: int, how: str) -> None:
    """Print how much of a batch is answered, and how to solve the rest without Redis."""
    try:
        with reading(database) as connection:
            progress = read_progress(connection, batch_id)
    except NoSuchBatch:
        notify(f"{how} · nothing of batch {batch_id} is kept")
        return
    answered = f"{count(progress.answered)} of {count(progress.batch.puzzles, 'puzzle')}"
    rest = "to solve the rest, repeat the command with --reuse"
    notify(f"{how} · {answered} answered and kept in batch {batch_id} · {rest}")

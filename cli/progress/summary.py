"""The line at the end: how many puzzles, what became of them, where they are kept."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cli.errors import Exit
from cli.formatting import count
from cli.output.row import AnswerRow
from storage.batches import Batch
from storage.queries.progress import Outcome

#: what a program has to look after
BAD = ("timeout", "invalid", "failed")


def reused(batch: Batch) -> str:
    """How many of its answers were there already, if anybody asked for them."""
    number = batch.options.get("reused")
    return "" if number is None else f"{count(number)} reused"


@dataclass(slots=True)
class Tally:
    """Counts answers as they pass by."""

    by_status: Counter[str] = field(default_factory=Counter)
    unique: int = 0
    multiple: int = 0
    scored: int = 0
    proven: int = 0
    best: int | None = None

    def over(self, answers: Iterable[AnswerRow]) -> Iterator[AnswerRow]:
        """The same answers, counted."""
        for answer in answers:
            self.add(answer)
            yield answer

    def add(self, answer: AnswerRow) -> None:
        """Count one."""
        self.add_many(Outcome(answer.status, answer.complete, answer.solutions, answer.score, 1))

    def add_many(self, alike: Outcome) -> None:
        """Count answers that the database counted before."""
        self.by_status[alike.status] += alike.puzzles
        if alike.best is not None:
            self.scored += alike.puzzles
            self.proven += alike.puzzles if alike.complete else 0
            self.best = alike.best if self.best is None else max(alike.best, self.best)
        elif alike.status == "solved" and alike.solutions is not None:
            self.unique += alike.puzzles if alike.solutions == 1 and alike.complete else 0
            self.multiple += alike.puzzles if alike.solutions > 1 else 0

    @property
    def exit(self) -> Exit:
        """1 as soon as something failed, timed out or was invalid."""
        return Exit.SOME_FAILED if any(self.by_status[bad] for bad in BAD) else Exit.DONE

    def sentence(self, *more: str, of: int | None = None) -> str:
        """All of it in one line, parts without anything left out; `of` so many puzzles."""
        total = self.by_status.total()
        missing = of is not None and of > total
        share = f"{count(total)} of " if missing else ""
        parts = [share + count(of if of and missing else total, "puzzle"), self._solved()]
        parts += [
            f"{count(number)} {status}"
            for status in ("none", *BAD)
            if (number := self.by_status[status])
        ]
        return " · ".join(part for part in [*parts, *more] if part)

    def _solved(self) -> str:
        solved = self.by_status["solved"]
        kinds = [f"{count(self.unique)} unique"] if self.unique else []
        kinds += [f"{count(self.multiple)} multiple"] if self.multiple else []
        kinds += [f"{count(self.proven)} proven optimal"] if self.scored else []
        if not solved:
            return ""
        told = f"{count(solved)} solved" + (f" ({', '.join(kinds)})" if kinds else "")
        return told if self.best is None else f"{told} · best {self.best}"

"""`--verify`: what was found is held against the solutions that the files give."""

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import IO, NamedTuple, Self

from cli.errors import BadUsage, Exit
from cli.formatting import count, notify
from cli.output.row import AnswerRow
from cli.verify.verdict import Verdict, judged
from worker.formats.block import Block
from worker.options import Options

#: wrong solutions that are told one by one
LISTED = 10


class Place(NamedTuple):
    """Where a solution is given."""

    source: str
    line: int


@dataclass(slots=True)
class GivenSolutions:
    """The solutions that files give; they wait in a temporary file, in the order of the input."""

    options: Options
    file: IO[str]
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    _sources: list[tuple[int, str]] = field(default_factory=list)  #: first position, name
    _puzzles: int = 0
    _lines: Iterator[tuple[int, str]] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def noted(self, blocks: Iterable[Block], name: str) -> Iterator[Block]:
        """Yield the same blocks of a file; raise BadUsage at its end if it gives no solution."""
        self._sources.append((self._puzzles + 1, _shown(name)))
        found = False
        for block in blocks:
            self._puzzles += block.count
            if block.solutions is None:
                self.file.write("\n" * block.count)
            else:
                found = True
                for line, solution in zip(block.places, block.solutions, strict=True):
                    self.file.write(f"{line} {solution}\n" if solution else "\n")
            yield block
        if not found:
            raise nothing_given(name)

    def over(self, answers: Iterable[AnswerRow]) -> Iterator[AnswerRow]:
        """The same answers, in the order of the input, each held against its solution."""
        for answer in answers:
            self.compare(answer)
            yield answer

    def compare(self, answer: AnswerRow) -> None:
        """Hold one against its solution; answers come by rising position."""
        line = self._line_of(answer.position).strip()
        if not line:
            return
        number, _, given = line.partition(" ")
        verdict, why = judged(answer, given, self.options)
        self.verdicts[verdict] += 1
        if verdict is Verdict.WRONG and len(self.wrong) < LISTED:
            place = Place(self._source_of(answer.position), int(number))
            self.wrong.append(_words(place, answer, why))

    def told(self) -> Exit:
        """Say what came of it; the exit code that follows."""
        for line in self.wrong:
            notify(line)
        number = self.verdicts[Verdict.WRONG]
        if number > len(self.wrong):
            notify(f"… and {count(number - len(self.wrong))} more")
        total, agree = self.verdicts.total(), self.verdicts[Verdict.AGREES]
        other, unknown = self.verdicts[Verdict.OTHER], self.verdicts[Verdict.UNKNOWN]
        parts = [f"verified: {count(agree)} of {count(total, 'given solution')} agree"]
        parts += [f"{count(other)} valid too, of puzzles with several"] if other else []
        parts += [f"{count(number)} wrong"] if number else []
        parts += [f"{count(unknown)} not compared"] if unknown else []
        notify(" · ".join(parts))
        return Exit.SOME_FAILED if number else Exit.DONE

    def _line_of(self, position: int) -> str:
        if self._lines is None:
            self.file.seek(0)
            self._lines = enumerate(self.file, start=1)
        return next((line for at, line in self._lines if at == position), "")

    def _source_of(self, position: int) -> str:
        return next(name for first, name in reversed(self._sources) if first <= position)


def given_by(wanted: bool, options: Options) -> AbstractContextManager[GivenSolutions | None]:
    """A place for the solutions that files give, if they are wanted."""
    if not wanted:
        return nullcontext()
    return GivenSolutions(
        options, tempfile.TemporaryFile("w+", encoding="ascii", prefix="bullseye-")
    )


def nothing_given(name: str) -> BadUsage:
    """What to say of a file without a single solution."""
    return BadUsage(
        f"{_shown(name)}: gives no solutions to verify; "
        "they are a column `solution`, or a second grid on each line."
    )


def _shown(name: str) -> str:
    return "standard input" if name == "-" else name


def _words(place: Place, answer: AnswerRow, why: str) -> str:
    label = f" ({answer.label})" if answer.label else ""
    return (
        f"{place.source} line {place.line}{label}: the solution given is wrong: {why}"
        f" · bullseye show {answer.id}"
    )

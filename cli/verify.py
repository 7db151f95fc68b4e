"""`--verify`: records the solutions in the input files and compares each answer with them."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from math import isqrt
from typing import IO, NamedTuple

from cli.errors import Exit
from cli.formatting import count
from cli.streams import notify
from storage.view import AnswerRow
from worker.checking import covers
from worker.errors import BadUsage
from worker.formats.entry import Block
from worker.formats.layout import Layout
from worker.options import Options
from worker.sudoku.symbols import VALUES, ring_weights

#: wrong solutions that are listed; further ones are only counted
MAX_LISTED = 10
#: the layout of grids in the symbols of the database
STORED = Layout("lines", "sudoku")


class Verdict(StrEnum):
    """The kinds of verdict, in the order in which they are reported."""

    AGREES = "agrees"  #: it is the solution that was found
    OTHER = "other"  #: another valid solution of a puzzle with several
    WRONG = "wrong"
    UNKNOWN = "unknown"  #: no answer to compare with: timeout, failed or invalid


class _Source(NamedTuple):
    """A source whose solutions are recorded."""

    first: int  #: the position of its first puzzle
    name: str
    layout: Layout


@dataclass(slots=True)
class GivenSolutions:
    """The solutions that the input gives, kept in a temporary file in input order.

    The file has a line for each puzzle: its line number in the input and its solution, or
    nothing.  Record all sources first, then compare answers by ascending position.
    """

    options: Options
    file: IO[str]
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)  #: messages, MAX_LISTED at most
    _sources: list[_Source] = field(default_factory=list)
    _puzzles: int = 0
    _lines: Iterator[tuple[int, str]] | None = None

    def record(
        self, blocks: Iterable[Block], source: str, layout: Layout = STORED
    ) -> Iterator[Block]:
        """Yield the blocks of a source, record their solutions; raise BadUsage without any."""
        self._sources.append(_Source(self._puzzles + 1, _display_name(source), layout))
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
            raise no_solutions(source)

    def compare_all(self, answers: Iterable[AnswerRow]) -> Iterator[AnswerRow]:
        """Yield the answers, in input order, while comparing each with its given solution."""
        for answer in answers:
            self.compare(answer)
            yield answer

    def compare(self, answer: AnswerRow) -> None:
        """Judge the given solution of one answer; positions must not decrease between calls."""
        line = self._line_at(answer.position).strip()
        if not line:
            return
        number, solution = line.split(" ", 1)
        source = next(one for one in reversed(self._sources) if one.first <= answer.position)
        layout = STORED if answer.kind == "cover" else source.layout
        values = layout.symbols(isqrt(len(solution)))[1:]
        solution = layout.in_symbols(solution)
        verdict, why = judge_solution(answer, solution, self.options, values)
        self.verdicts[verdict] += 1
        if verdict is Verdict.WRONG and len(self.wrong) < MAX_LISTED:
            label = f" ({answer.label})" if answer.label else ""
            fault = f"the given solution is wrong: {why} · bullseye show {answer.id}"
            self.wrong.append(f"{source.name} line {number}{label}: {fault}")

    def report(self) -> Exit:
        """Print the wrong solutions and the counts; return 1 if one is wrong, else 0."""
        for line in self.wrong:
            notify(line)
        wrong = self.verdicts[Verdict.WRONG]
        if wrong > len(self.wrong):
            notify(f"… and {count(wrong - len(self.wrong))} more")
        agree, total = self.verdicts[Verdict.AGREES], self.verdicts.total()
        other, unknown = self.verdicts[Verdict.OTHER], self.verdicts[Verdict.UNKNOWN]
        verb = "agrees" if total == 1 else "agree"
        parts = [f"verified: {count(agree)} of {count(total, 'given solution')} {verb}"]
        parts += [f"{count(other)} also valid (puzzles with several solutions)"] if other else []
        parts += [f"{count(wrong)} wrong"] if wrong else []
        parts += [f"{count(unknown)} not compared"] if unknown else []
        notify(" · ".join(parts))
        return Exit.SOME_FAILED if wrong else Exit.DONE

    def _line_at(self, position: int) -> str:
        if self._lines is None:
            self.file.seek(0)
            self._lines = enumerate(self.file, start=1)
        return next((line for at, line in self._lines if at == position), "")


@contextmanager
def given_solutions(wanted: bool, options: Options) -> Iterator[GivenSolutions | None]:
    """Yield an empty collection of solutions, or None if `wanted` is false."""
    if not wanted:
        yield None
        return
    with tempfile.TemporaryFile("w+", encoding="ascii", prefix="bullseye-") as file:
        yield GivenSolutions(options, file)


def no_solutions(source: str) -> BadUsage:
    """Return the error for a source without a single solution."""
    return BadUsage(
        f"{_display_name(source)} has no solutions to verify; "
        "give them in a column `solution` or as a second grid on each line."
    )


def _display_name(source: str) -> str:
    return "standard input" if source == "-" else source


# --- the verdict on one solution ---


def judge_solution(
    answer: AnswerRow, given: str, options: Options, values: str = VALUES
) -> tuple[Verdict, str]:
    """Return the verdict on a solution, and why it is wrong; `values` are the symbols from 1."""
    if given in {answer.solution, _sorted_options(answer)}:
        return Verdict.AGREES, ""
    if answer.status in {"timeout", "failed", "invalid"}:
        return Verdict.UNKNOWN, ""
    if answer.kind == "cover":
        fault = _cover_fault(answer.puzzle, given, options)
    else:
        from worker.checking.grids import fault as grid_fault  # imports NumPy

        fault = grid_fault(answer.puzzle, given, values)
    if fault:
        unsolvable = "the puzzle has no solution; in the given one, "
        return Verdict.WRONG, (unsolvable if answer.status == "none" else "") + fault
    if answer.status == "none" or (answer.solutions == 1 and answer.complete):
        return Verdict.WRONG, "it is valid, but was not found: please report this as a bug"
    if answer.score is not None:
        score = _score(answer, given, options, values)
        if score != answer.score:
            return Verdict.WRONG, f"its score is {score}, the best is {answer.score}"
    return Verdict.OTHER, ""


def _sorted_options(answer: AnswerRow) -> str | None:
    """Return the option numbers of a cover's solution in ascending order, as files give them."""
    if answer.kind != "cover" or answer.solution is None:
        return None
    return " ".join(map(str, sorted(map(int, answer.solution.split()))))


def _cover_fault(puzzle: str, given: str, wanted: Options) -> str | None:
    """Return why these options are no cover as it is wanted; None if they are one."""
    problem, numbers = json.loads(puzzle), list(map(int, given.split()))
    if fault := covers.cover_fault(problem, numbers, set_cover=wanted.set_cover):
        return fault
    if wanted.at_most is None or "distances" in problem:  # its own `at_most` counts options
        return None
    cost = -covers.score_of(problem, numbers, set_cover=wanted.set_cover)
    return f"it costs {cost}, more than {wanted.at_most}" if cost > wanted.at_most else None


def _score(answer: AnswerRow, given: str, options: Options, values: str) -> int:
    if answer.kind == "cover":
        numbers = list(map(int, given.split()))
        return covers.score_of(json.loads(answer.puzzle), numbers, set_cover=options.set_cover)
    weights: Sequence[int] = options.weights or ring_weights(isqrt(len(given)))
    digits = (values.index(symbol) + 1 for symbol in given)
    return sum(weight * digit for weight, digit in zip(weights, digits, strict=True))

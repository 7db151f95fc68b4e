"""Answers just as the judge that set the puzzles wants them: the layout of each input, answered."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TextIO

from cli.errors import BadUsage, CliError
from cli.output.row import AnswerRow
from worker.formats.judge import JudgeAnswer, judge
from worker.formats.layout import Layout


class UnfinishedBatch(CliError):
    """A judge wants all answers, and some are not there yet."""


def write_judge(answers: Iterable[AnswerRow], out: TextIO, *, options: dict[str, Any]) -> None:
    """The answers of one whole batch, in order, to the inputs that its `options` remember."""
    rest = iter(answers)
    for line in _lines(rest, options):
        out.write(line + "\n")
    for _ in rest:  # to the end, where the database lets its cursor go
        pass


def _lines(answers: Iterator[AnswerRow], options: dict[str, Any]) -> Iterator[str]:
    inputs: Sequence[dict[str, Any]] = options.get("inputs") or []
    if not inputs:
        raise BadUsage("this batch does not remember how its input was written; take -f lines.")
    for source in inputs:
        part = (_judged(answer) for answer in islice(answers, source["count"]))
        yield from judge(Layout.from_json(source["layout"]), part, bool(options.get("target")))


def _judged(answer: AnswerRow) -> JudgeAnswer:
    return JudgeAnswer(answer.solution, answer.score)

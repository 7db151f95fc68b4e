"""Answers in the output format of the judge problem that each input comes from."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TextIO

from storage.values import AnswerRow
from worker.errors import BadUsage
from worker.formats.judge import JudgeAnswer, judge
from worker.formats.layout import Layout


def write_judge(answers: Iterable[AnswerRow], out: TextIO, *, options: dict[str, Any]) -> None:
    """Write all answers of a batch; its `options` hold the layout of each input.

    Raises BadUsage if `options` has no layouts.
    """
    rest = iter(answers)
    for line in _lines(rest, options):
        out.write(line + "\n")
    for _ in rest:  # exhausted, so that the database cursor is closed
        pass


def _lines(answers: Iterator[AnswerRow], options: dict[str, Any]) -> Iterator[str]:
    inputs: Sequence[dict[str, Any]] = options.get("inputs") or []
    if not inputs:
        raise BadUsage("the layout of this batch's input is not stored; use -f lines.")
    for source in inputs:
        part = (
            JudgeAnswer(answer.solution, answer.score)
            for answer in islice(answers, source["count"])
        )
        yield from judge(Layout.from_json(source["layout"]), part, bool(options.get("target")))

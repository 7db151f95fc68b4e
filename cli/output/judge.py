"""Answers in the output format of the judge problem that each input comes from."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TextIO

from sqlalchemy import Connection

from cli.errors import CliError
from cli.formatting import count
from storage.batches import Batch
from storage.queries.progress import read_progress
from storage.values import AnswerRow
from worker.errors import BadUsage
from worker.formats.layout import Layout
from worker.formats.readers.judge import JudgeAnswer, judge


class UnfinishedBatch(CliError):
    """Some puzzles of a batch have no answer yet, but all are needed."""


def require_all_answers(connection: Connection, batch: Batch) -> None:
    """Raise UnfinishedBatch if a puzzle of the batch has no answer yet."""
    answered = read_progress(connection, batch.id).answered
    if answered < batch.puzzles:
        raise UnfinishedBatch(
            f"judge output needs all answers, but batch {batch.id} has {count(answered)} of "
            f"{count(batch.puzzles)}: follow it with bullseye status -w {batch.id}"
        )


def write_judge(answers: Iterable[AnswerRow], out: TextIO, *, options: dict[str, Any]) -> None:
    """Write all answers of a batch; its `options` hold the layout of each input.

    Raises BadUsage if `options` has no layouts.
    """
    out.writelines(f"{line}\n" for line in _lines(iter(answers), options))


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

"""Answers as csv, jsonl or lines: streamed, one line each."""

import csv
import json
from collections.abc import Iterable
from typing import TextIO

from cli.answered import COLUMNS, Answered


def write_csv(answers: Iterable[Answered], out: TextIO) -> None:
    """All columns, with a header even where nothing follows; absent is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(answers)


def write_jsonl(answers: Iterable[Answered], out: TextIO) -> None:
    """An object a line with all columns; numbers are numbers, absent is null."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    for answer in answers:
        out.write(encode(answer._asdict()) + "\n")


def write_lines(answers: Iterable[Answered], out: TextIO) -> None:
    """The solution alone; a puzzle without one gives its status."""
    for answer in answers:
        out.write(f"{answer.solution or answer.status}\n")

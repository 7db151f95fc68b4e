"""Answers as csv, jsonl or lines: streamed, one line each."""

import csv
from collections.abc import Callable, Iterable
from json.encoder import encode_basestring
from typing import Any, TextIO

from cli.answered import COLUMNS, Answered

#: how JSON writes the values of a column, by their type
_JSON: dict[type, Callable[[Any], str]] = {
    int: int.__repr__,
    float: float.__repr__,
    str: encode_basestring,
    type(None): lambda _: "null",
}
_OBJECT = "{" + ", ".join(f'"{name}": %s' for name in COLUMNS) + "}\n"


def write_csv(answers: Iterable[Answered], out: TextIO) -> None:
    """All columns, with a header even where nothing follows; absent is empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(answers)


def write_jsonl(answers: Iterable[Answered], out: TextIO) -> None:
    """An object a line with all columns; numbers are numbers, absent is null.

    In one go for each line: `json` takes three times as long, setting itself up for every object.
    """
    for answer in answers:
        out.write(_OBJECT % tuple([_JSON[type(value)](value) for value in answer]))


def write_lines(answers: Iterable[Answered], out: TextIO) -> None:
    """The solution alone; a puzzle without one gives its status."""
    for answer in answers:
        out.write(f"{answer.solution or answer.status}\n")

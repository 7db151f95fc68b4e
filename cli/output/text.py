"""Answers as lines, as grids, or as a template filled in for each: `{id} {score} {ms:.2f}`."""

from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, TextIO

import click

from storage.view import COLUMNS, AnswerRow, is_column

#: kinds of puzzles that are grids
_GRID_KINDS = frozenset({"sudoku", "target"})
#: escape sequences that a shell's quotes keep as two characters
_ESCAPES = {"\\t": "\t", "\\n": "\n"}
#: a row with a value of each column's type, to try a template with
_SAMPLE = AnswerRow._make(
    0.5 if "float" in kind else 1 if "int" in kind else "x"
    for kind in map(str, AnswerRow.__annotations__.values())
)._replace(extra="{}")


def write_grid(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write a comment with id, label, status and score, then the grid's rows, for each answer.

    Without a solution the puzzle is written.  Grids can be read again as format `rows`; a cover
    is one line.
    """
    for answer in answers:
        label = f" {answer.label}" if answer.label else ""
        score = "" if answer.score is None else f" · score {answer.score}"
        out.write(f"# {answer.id}{label} · {answer.status}{score}\n")
        out.writelines(f"{row}\n" for row in _rows(answer))
        out.write("\n")


def _rows(answer: AnswerRow) -> list[str]:
    text = answer.solution or answer.puzzle
    if answer.kind not in _GRID_KINDS or answer.size is None:
        return [answer.solution or answer.status]
    return [text[at : at + answer.size] for at in range(0, len(text), answer.size)]


def write_lines(answers: Iterable[AnswerRow], out: TextIO) -> None:
    """Write the solution of each answer as a line; without a solution, the status."""
    for answer in answers:
        out.write(f"{answer.solution or answer.status}\n")


class _ColumnFormatter(Formatter):
    """Python's format strings over the columns of an answer; null becomes empty."""

    def __init__(self, answer: AnswerRow) -> None:
        self.answer = answer

    def get_field(self, name: str, _: Sequence[Any], _values: Mapping[str, Any]) -> tuple[Any, str]:
        """Return the value of a column; attributes and indices are rejected."""
        if not is_column(name):
            raise ValueError(f"there is no column {name!r}; columns are {', '.join(COLUMNS)}")
        return self.answer.value(name), name

    def format_field(self, value: Any, spec: str) -> str:
        """Format a value as Python does; None becomes empty whatever its format."""
        return "" if value is None else str(super().format_field(value, spec))


def parse_template(_ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    r"""Return the template with `\t` and `\n` replaced, or raise BadParameter."""
    if text is None:
        return None
    for written, meant in _ESCAPES.items():
        text = text.replace(written, meant)
    try:
        _fill(text, _SAMPLE).encode()
    except (ValueError, LookupError) as error:
        raise click.BadParameter(f"{text!r}: {error}") from None
    return text


def write_template(answers: Iterable[AnswerRow], out: TextIO, template: str) -> None:
    """Write the filled template and a line end for each answer."""
    for answer in answers:
        out.write(_fill(template, answer) + "\n")


def _fill(template: str, answer: AnswerRow) -> str:
    return _ColumnFormatter(answer).vformat(template, (), {})

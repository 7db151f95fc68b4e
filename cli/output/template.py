"""`--template`: a line of one's own for each answer, such as `{id} {score} {ms:.2f}`."""

from collections.abc import Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, TextIO

import click

from cli.output.row import COLUMNS, AnswerRow

#: what a shell's quotes leave of a tab and a line end
ESCAPED = {"\\t": "\t", "\\n": "\n"}
#: a value of each type that columns have, to try a template with
_TRIED = AnswerRow._make(
    0.5 if "float" in kind else 1 if "int" in kind else "x"
    for kind in map(str, AnswerRow.__annotations__.values())
)


class _Columns(Formatter):
    """Python's format strings, whose only names are those of the columns; absent is empty."""

    def get_field(self, name: str, _: Sequence[Any], told: Mapping[str, Any]) -> tuple[Any, str]:
        """The column of this very name: no attributes, no indices."""
        if name not in told:
            raise ValueError(f"there is no column {name!r}; columns are {', '.join(COLUMNS)}")
        return told[name], name

    def format_field(self, value: Any, spec: str) -> str:
        """As Python does; None has no format of its own."""
        return "" if value is None else str(super().format_field(value, spec))


def template(_ctx: click.Context, _param: click.Parameter, text: str | None) -> str | None:
    """The template with its tabs and line ends, or a usage error that says what is wrong."""
    if text is None:
        return None
    for written, meant in ESCAPED.items():
        text = text.replace(written, meant)
    try:
        _filled(text, _TRIED).encode()
    except (ValueError, LookupError) as error:
        raise click.BadParameter(f"{text!r}: {error}") from None
    return text


def write_template(answers: Iterable[AnswerRow], out: TextIO, text: str) -> None:
    """The filled template and a line end for each answer."""
    for answer in answers:
        out.write(_filled(text, answer) + "\n")


def _filled(text: str, answer: AnswerRow) -> str:
    return _Columns().vformat(text, (), answer._asdict())

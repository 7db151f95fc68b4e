"""Options that several commands share: their names, their help texts and their decorators."""

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import click
from rich_click import RichCommand

from cli.output.text import parse_template
from cli.parameters import OUTPUT_FILE
from cli.streams import screened

#: for the group and every command
CONTEXT_SETTINGS: dict[str, Any] = {
    "help_option_names": ["-h", "--help"],
    "rich_help_config": {
        "theme": "default-slim",
        "default_string": "[default: {}]",
        "width": 80,
        "text_paragraph_linebreaks": "\n\n",
        "padding_helptext_first_line": (0, 0, 1, 0),
        "options_table_help_sections": ["help", "required", "default"],
    },
}


#: the output formats that can show any columns
COLUMN_FORMATS = ("table", "csv", "tsv", "json", "jsonl", "md", "parquet", "xlsx")
#: the output formats of `-f`
OUTPUT_FORMATS = (*COLUMN_FORMATS, "lines", "grid", "judge")


def processors() -> int:
    """Return the number of processors that this process may use."""
    if sys.platform == "linux":
        number = len(os.sched_getaffinity(0))
    else:  # macOS restricts no process
        number = os.cpu_count() or 1
    return number


@dataclass
class Verbosity:
    """Whether `-v` was given, before or after the command's name."""

    verbose: bool = False


def _set_verbose(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    verbosity = ctx.find_object(Verbosity)
    if value and verbosity is not None:
        verbosity.verbose = True


verbose_option = click.option(
    "-v",
    "--verbose",
    is_flag=True,
    expose_value=False,
    callback=_set_verbose,
    help="Show the traceback of an error.",
)


class Command(RichCommand):
    """A command that filters what it writes to a terminal; its help has styles of rich's own."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with screened():
            return super().invoke(ctx)


def command(function: Callable[..., Any]) -> click.Command:
    """Make a function a command with `-h`, `-v` and our help layout; its docstring is the help."""
    decorate = click.command(cls=Command, context_settings=CONTEXT_SETTINGS)
    decorated: click.Command = decorate(function)
    verbose_option(decorated)
    return decorated


#: an option without a value
switch = partial(click.option, is_flag=True)
database_option = click.option(
    "--db",
    "database",
    metavar="PATH|URL",
    help="Database.  [default: $BULLSEYE_DATABASE_URL, else bullseye.db in your data folder]",
)
redis_option = click.option(
    "--redis",
    "redis",
    metavar="URL",
    help="Redis or Valkey.  [default: $BULLSEYE_REDIS_URL, else redis://localhost:6379/0]",
)
yes_option = switch("-y", "--yes", help="Do not ask for confirmation.")
vacuum_option = switch(
    "--vacuum", help="Return free space to the file system; locks the database meanwhile."
)
json_option = switch("--json", "as_json", help="Print JSON.")


def _format_option(formats: Sequence[str]) -> Callable[..., Any]:
    return click.option(
        "-f",
        "--format",
        "output_format",
        type=click.Choice(formats),
        metavar="FORMAT",
        help=f"{', '.join(formats[:-1])} or {formats[-1]}.  "
        "[default: table on a terminal, else jsonl]",
    )


format_option = _format_option(OUTPUT_FORMATS)
row_format_option = _format_option(COLUMN_FORMATS)
template_option = click.option(
    "--template",
    callback=parse_template,
    metavar="TEXT",
    help="Print this text for each answer, such as '{id} {score} {ms:.2f}'.",
)


def _output_option(endings: str) -> Callable[..., Any]:
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        type=OUTPUT_FILE,
        help=f"Write to FILE; {endings} sets the format, and .gz or .zst after it compresses.",
    )


output_option = _output_option(".csv, .tsv, .json, .jsonl, .md, .parquet or .txt (lines)")
row_output_option = _output_option(".csv, .tsv, .json, .jsonl, .md or .parquet")
expect_option = click.option(
    "--expect",
    type=click.Choice(["unique"]),
    metavar="unique",
    help="Exit with 1 unless every puzzle has exactly one solution.",
)
verify_option = switch(
    "--verify",
    help="Compare each answer with the solution in the file; exit with 1 if one is wrong.",
)


def flag(option: str) -> str:
    """Return an option as it is written on the command line.

    >>> flag("set_cover")
    '--set-cover'
    """
    return f"--{option.replace('_', '-')}"

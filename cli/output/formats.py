"""Chooses the output format; imports no database code, so that `solve` starts fast."""

import sys
from pathlib import Path

import click

from cli.options import Flag
from cli.output.parquet import check_parquet
from cli.terminal import is_terminal

#: the format for the suffix of an output file; any other suffix means jsonl
FORMAT_OF_SUFFIX = {".csv": "csv", ".txt": "lines", ".parquet": "parquet"}


def choose_format(requested: str | None, output: str | None, template: str | None = None) -> str:
    """Return the requested format, else the one that suits the output file or the terminal.

    Raises BadUsage or UsageError for a format that cannot be written there.
    """
    if template is not None:
        if requested:
            raise click.UsageError(f"{Flag.TEMPLATE} cannot be combined with {Flag.FORMAT}.")
        return "template"
    chosen = requested or _default_format(output)
    if chosen == "parquet":
        check_parquet(output)
    return chosen


def _default_format(output: str | None) -> str:
    if output:
        return FORMAT_OF_SUFFIX.get(Path(output).suffix.lower(), "jsonl")
    return "table" if is_terminal(sys.stdout) else "jsonl"

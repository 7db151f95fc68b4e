"""Chooses the output format; imports no database code, so that `solve` starts fast."""

import sys
from pathlib import Path

import click

from cli.output.destination import COMPRESSIONS, is_stream
from cli.output.parquet import check_parquet
from cli.streams import is_terminal
from worker.errors import BadUsage

#: the format for the last ending of an output file
FORMAT_OF_SUFFIX = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".json": "json",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "md",
    ".txt": "lines",
    ".parquet": "parquet",
}


def choose_format(requested: str | None, output: str | None, template: str | None = None) -> str:
    """Return the requested format, else the one that suits the output file or the terminal.

    Raises BadUsage or UsageError for a format that cannot be written there, and for a file whose
    ending names no format.
    """
    if template is not None:
        if requested:
            raise click.UsageError("--template cannot be combined with -f.")
        return "template"
    chosen = requested or _default_format(output)
    if chosen == "parquet":
        check_parquet(output)
    return chosen


def _default_format(output: str | None) -> str:
    if output is None or is_stream(output):
        return "table" if is_terminal(sys.stdout) and output in {None, "-"} else "jsonl"
    ending = _ending(output)
    if ending not in FORMAT_OF_SUFFIX:
        name, known = click.format_filename(output), ", ".join(FORMAT_OF_SUFFIX)
        raise BadUsage(
            f"cannot tell the format of {name} from its ending: use {known}, each but .parquet "
            f"also with {' or '.join(COMPRESSIONS)}, or choose it with -f"
        )
    return FORMAT_OF_SUFFIX[ending]


def _ending(output: str) -> str:
    """Return the last ending of a file's name in lower case, apart from that of a compression.

    >>> _ending("a.b.CSV.gz"), _ending("a")
    ('.csv', '')
    """
    path = Path(output.lower())
    return Path(path.stem).suffix if path.suffix in COMPRESSIONS else path.suffix

"""Where answers go: stdout, or a file that appears only when it is whole."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import click

from cli.errors import BadUsage, OutputError
from cli.output.template import template
from cli.parameters import file

#: the names of `-f`
FORMATS = ("table", "csv", "jsonl", "parquet", "lines", "grid", "judge")
#: what the ending of a file asks for; any other is jsonl
ENDINGS = {".csv": "csv", ".txt": "lines", ".parquet": "parquet"}

format_option = click.option(
    "-f",
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    metavar="FORMAT",
    help="table, csv, jsonl, parquet, lines, grid or judge.  "
    "[default: table on a terminal, else jsonl]",
)
template_option = click.option(
    "--template",
    callback=template,
    metavar="TEXT",
    help="Write a line of your own, such as '{id} {score} {ms:.2f}'.",
)
output_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    shell_complete=file,
    help="Write the answers to FILE; .csv, .jsonl, .parquet and .txt (lines) tell how.",
)


def format_for(wish: str | None, output: str | None, template: str | None = None) -> str:
    """The format that was asked for, else what suits the place; Misused where it cannot be."""
    chosen = _format_for(wish, output, template)
    if chosen == "parquet":
        from cli.output.parquet import require

        require(output)
    return chosen


def _format_for(wish: str | None, output: str | None, template: str | None) -> str:
    if template is not None:
        if wish:
            raise click.UsageError("--template is a format of its own; it does not go with -f.")
        return "template"
    if wish:
        return wish
    if output:
        return ENDINGS.get(Path(output).suffix.lower(), "jsonl")
    return "table" if is_terminal(sys.stdout) else "jsonl"


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at `stream`."""
    return stream is not None and not stream.closed and stream.isatty()


@contextmanager
def opened(output: str | None) -> Iterator[TextIO]:
    """Stdout or the file; the file takes its name at the end, and not after an error."""
    if output is None or output == "-":
        yield sys.stdout if sys.stdout is not None else _nowhere()
        return
    if not output:
        raise BadUsage("a file to write needs a name, or - for stdout: -o answers.csv")
    path = Path(output)
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="\n") as device:
                yield device
            return
        part, stream = _part(path)
    except OSError as error:
        raise OutputError(f"cannot write {output}: {error.strerror}") from error
    try:
        with stream:
            yield stream
        part.replace(path)
    except OSError as error:
        raise OutputError(f"cannot write {output}: {error.strerror}") from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _part(path: Path) -> tuple[Path, TextIO]:
    """A new file beside `path`, with the rights that `path` would get."""
    number, name = tempfile.mkstemp(prefix=f".{path.name[:100]}-", dir=path.parent)
    mask = os.umask(0)
    os.umask(mask)
    Path(name).chmod(0o666 & ~mask)
    return Path(name), os.fdopen(number, "w", encoding="utf-8", newline="\n")


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")

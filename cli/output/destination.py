"""Where output goes, to stdout or a file that appears only when it is complete, and its format.

It imports no database code, so that `solve` starts fast.
"""

import gzip
import importlib.util
import io
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, TextIO, cast

import click

from cli.errors import OutputError
from cli.formatting import count
from cli.streams import filtered, is_terminal
from worker.errors import BadUsage

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

if TYPE_CHECKING:
    from storage.export.archiving import Exported

#: endings of files that are compressed while they are written
COMPRESSIONS = (".gz", ".zst")
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
    ".xlsx": "xlsx",
}
#: formats that are no text: their name, the package that writes them, and the extra that brings it
BINARY = {"parquet": ("Parquet", "pyarrow", "parquet"), "xlsx": ("Excel", "openpyxl", "excel")}


@contextmanager
def open_output(output: str | None) -> Iterator[TextIO]:
    """Yield stdout (for None and `-`) or a new file, compressed if its name ends so.

    The file is written beside its destination and renamed at the end; after an exception the
    destination is unchanged.  It keeps the permissions of the file that it replaces; a symbolic
    link remains, and the file that it names is replaced.  Raises OutputError if it cannot be
    written.
    """
    if output is not None and not output:
        raise BadUsage("the output file needs a name, or - for stdout")
    try:
        if output is None or output == "-":
            yield filtered(sys.stdout)
            sys.stdout.flush()
        elif is_stream(output):
            with Path(output).open("w", encoding="utf-8", newline="\n") as device:
                yield filtered(device)
        else:
            with replacing(Path(os.path.realpath(output)), Path(output).suffix) as file:
                yield file
    except BrokenPipeError:
        raise
    except OSError as error:
        where = "to stdout" if output in {None, "-"} else click.format_filename(str(output))
        raise OutputError(f"cannot write {where}: {error.strerror}") from error


@contextmanager
def binary(out: TextIO) -> Iterator[IO[bytes]]:
    """Yield what takes the bytes of an output, and writes all of them.

    With PYTHONUNBUFFERED, stdout has no buffer, and may write a part without an error.
    """
    out.flush()
    if isinstance(out.buffer, io.RawIOBase):
        with os.fdopen(out.fileno(), "wb", closefd=False) as buffered:
            yield buffered
    else:
        yield out.buffer


def is_stream(output: str) -> bool:
    """Return whether an output is stdout, a device or a pipe, which no new file can replace."""
    return output == "-" or (Path(output).exists() and not Path(output).is_file())


@contextmanager
def replacing(path: Path, ending: str = "") -> Iterator[TextIO]:
    """Yield a temporary file that replaces `path` unless an exception is raised.

    If `path` is a symbolic link, that is replaced, and what it names stays as it is.  An `ending`
    of COMPRESSIONS compresses the file.
    """
    number, name = tempfile.mkstemp(prefix=f".{path.name[:40]}-", dir=path.parent)
    temporary = Path(name)
    try:
        temporary.chmod(_mode(path))
        with (
            os.fdopen(number, "wb") as file,
            _compressed(file, ending.lower()) as data,
            io.TextIOWrapper(data, encoding="utf-8", newline="\n") as text,
        ):
            yield text
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _compressed(file: IO[bytes], suffix: str) -> IO[bytes]:
    """Return a file that compresses what is written to it, or `file` itself."""
    if suffix == ".gz":  # without name and time, so that equal answers give equal files
        return cast(IO[bytes], gzip.GzipFile("", "wb", fileobj=file, mtime=0))
    if suffix == ".zst":
        return cast(IO[bytes], zstd.ZstdFile(file, "wb"))
    return file


def _mode(path: Path) -> int:
    """Return the permissions of a file, or those of a new one if there is none."""
    with suppress(OSError):
        status = path.lstat()
        if stat.S_ISREG(status.st_mode):
            return stat.S_IMODE(status.st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


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
    if chosen in BINARY:
        _check_binary(chosen, output)
    return chosen


def _default_format(output: str | None) -> str:
    if output is None or is_stream(output):
        return "table" if is_terminal(sys.stdout) and output in {None, "-"} else "jsonl"
    ending = _ending(output)
    if ending not in FORMAT_OF_SUFFIX:
        name, known = click.format_filename(output), ", ".join(FORMAT_OF_SUFFIX)
        raise BadUsage(
            f"cannot tell the format of {name} from its ending: use {known}, those of texts "
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


def _check_binary(chosen: str, output: str | None) -> None:
    """Raise BadUsage if a package is missing, or the output is a terminal or compressed twice."""
    name, package, extra = BINARY[chosen]
    if importlib.util.find_spec(package) is None:
        raise BadUsage(f"{name} output needs {package}: pip install 'bullseye[{extra}]'")
    if output in {None, "-"} and is_terminal(sys.stdout):
        raise BadUsage(f"{name} is a binary format; write it to a file with -o FILE.{chosen}")
    if output and output.lower().endswith(COMPRESSIONS):
        raise BadUsage(f"{name} is compressed by itself; write it with -o FILE.{chosen}")


def require(packages: tuple[str, ...], extra: str) -> None:
    """Raise BadUsage if a package is not installed, which an extra brings."""
    if absent := [name for name in packages if importlib.util.find_spec(name) is None]:
        raise BadUsage(f"this needs {' and '.join(absent)}: pip install 'bullseye[{extra}]'")


def described(found: "Exported") -> str:
    """Return one line about the files of a batch."""
    from rich.filesize import decimal as size

    batch = found.batch
    number, total = len(found.files), sum(one.bytes for one in found.files)
    files = f"{count(number, 'file')}, {size(total)}"
    return f"{batch.title} · {count(batch.puzzles, 'answer')} in {found.folder} ({files})"

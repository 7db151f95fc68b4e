"""Where output goes: stdout, or a file that appears only when it is complete."""

import gzip
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TextIO, cast

import click

from cli.errors import OutputError
from worker.errors import BadUsage

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

#: endings of files that are compressed while they are written
COMPRESSIONS = (".gz", ".zst")


@contextmanager
def open_output(output: str | None) -> Iterator[TextIO]:
    """Yield stdout (for None and `-`) or a new file, compressed if its name ends so.

    The file is written beside its destination and renamed at the end; after an exception the
    destination is unchanged.  Raises OutputError if it cannot be written.
    """
    if output is not None and not output:
        raise BadUsage("the output file needs a name, or - for stdout")
    try:
        if output is None or output == "-":
            with _stdout() as stream:
                yield stream
        elif is_stream(output):
            with Path(output).open("w", encoding="utf-8", newline="\n") as device:
                yield device
        else:
            with _replacing(Path(output)) as file:
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
def _stdout() -> Iterator[TextIO]:
    stream = sys.stdout
    if stream is None:  # closed by the caller
        with Path(os.devnull).open("w", encoding="utf-8") as null:
            yield null
    else:
        yield stream
        stream.flush()


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Yield a temporary file that replaces `path` unless an exception is raised."""
    number, name = tempfile.mkstemp(prefix=f".{path.name[:100]}-", dir=path.parent)
    temporary = Path(name)
    try:
        temporary.chmod(0o666 & ~_umask())
        with (
            os.fdopen(number, "wb") as file,
            _compressed(file, path.suffix.lower()) as data,
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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

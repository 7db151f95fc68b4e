"""Where output goes: stdout, or a file that appears only when it is complete."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from cli.errors import BadUsage, OutputError


@contextmanager
def open_output(output: str | None) -> Iterator[TextIO]:
    """Yield stdout (for None and `-`) or a new file.

    The file is written beside its destination and renamed at the end; after an exception the
    destination is unchanged.  Raises OutputError if it cannot be written.
    """
    if output is None or output == "-":
        yield sys.stdout if sys.stdout is not None else _null()
        return
    if not output:
        raise BadUsage("the output file needs a name, or - for stdout")
    path = Path(output)
    try:
        if path.exists() and not path.is_file():
            with path.open("w", encoding="utf-8", newline="\n") as device:
                yield device
        else:
            with _replacing(path) as file:
                yield file
    except OSError as error:
        raise OutputError(f"cannot write {output}: {error.strerror}") from error


@contextmanager
def _replacing(path: Path) -> Iterator[TextIO]:
    """Yield a temporary file that replaces `path` unless an exception is raised."""
    number, name = tempfile.mkstemp(prefix=f".{path.name[:100]}-", dir=path.parent)
    temporary = Path(name)
    try:
        temporary.chmod(0o666 & ~_umask())
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            yield file
        temporary.replace(path)
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _null() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")

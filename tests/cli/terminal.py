"""Runs a command on a terminal of 80 columns."""

import os
import pty
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress

from tests.cli.conftest import ROOT

OnOutput = Callable[[str], None]


def run_in_terminal(
    *arguments: object, on_output: OnOutput | None = None, **environment: str
) -> tuple[int, str]:
    """Return the exit code of a command and everything that it wrote to its terminal.

    `on_output` is called with the text so far whenever there is more.
    """
    return _run(arguments, environment, on_output)


def run_at_keyboard(*arguments: object, typed: str = "", **environment: str) -> tuple[int, str]:
    """Return the same of a command whose stdin is the terminal too, on which `typed` is typed."""
    return _run(arguments, environment, None, typed)


def _run(
    arguments: Sequence[object],
    environment: dict[str, str],
    on_output: OnOutput | None,
    typed: str | None = None,
) -> tuple[int, str]:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "cli.main", *map(str, arguments)],
        stdin=subprocess.DEVNULL if typed is None else theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(theirs)
        os.write(ours, (typed or "").encode())
        output = b""
        with suppress(OSError):  # Linux raises it when the other end is closed
            while part := os.read(ours, 65536):
                output += part
                if on_output:
                    on_output(output.decode(errors="replace"))
        os.close(ours)
    return process.returncode, output.decode().replace("\r\n", "\n")

"""Runs a command on a terminal of 80 columns."""

import os
import pty
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

import pytest

from cli.main import run
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
    return process.returncode, output.decode(errors="replace").replace("\r\n", "\n")


def run_on_screen(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> tuple[int, str]:
    """Return the same as `run_in_terminal`, of a command that runs in this process."""
    ours, theirs = pty.openpty()
    output: list[bytes] = []

    def receive() -> None:
        with suppress(OSError):
            while part := os.read(ours, 65536):
                output.append(part)

    reader = threading.Thread(target=receive)
    reader.start()
    with monkeypatch.context() as patch, os.fdopen(theirs, "w", encoding="utf-8") as stream:
        patch.setenv("TERM", "xterm-256color")
        patch.setattr("sys.stdout", stream)
        patch.setattr("sys.stderr", stream)
        code = run(list(map(str, arguments)))
    reader.join()
    os.close(ours)
    return code, b"".join(output).decode().replace("\r\n", "\n")

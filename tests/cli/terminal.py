"""A terminal of 80 columns, as a person has it."""

import os
import pty
import subprocess
import sys
from contextlib import suppress

from tests.cli.conftest import ROOT


def seen(*arguments: object, **environment: str) -> tuple[int, str]:
    """Exit code of a command, and everything it wrote to its terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "cli.main", *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(theirs)
        parts = []
        with suppress(OSError):  # Linux says so when the other end is closed
            while part := os.read(ours, 65536):
                parts.append(part)
        os.close(ours)
    return process.returncode, b"".join(parts).decode().replace("\r\n", "\n")

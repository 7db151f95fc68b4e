"""A full disk: one sentence, exit code 74, and no half-written file."""

import os
import resource
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.errors import OutputError
from cli.output.destination import COMPRESSIONS, open_output
from tests.cli.answers import PUZZLE, UNIQUE
from tests.cli.conftest import ROOT, Bullseye, Database

#: bytes that a file may have while the disk is full; the database's shared memory has 32768
LIMIT = 1 << 16


@contextmanager
def full_disk() -> Iterator[None]:
    """Make writes beyond LIMIT bytes of a file fail, with another reason but as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("command", ["results", "status", "submit", "show 1", "worker --help"])
def test_a_full_disk_behind_stdout_is_reported_in_one_sentence(
    database: Database, redis: str, command: str
) -> None:
    database.store([UNIQUE] * 500)
    arguments = [*command.split(), PUZZLE] if command == "submit" else command.split()
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "cli.main", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
    assert done.returncode == 74
    assert done.stderr.startswith("error: cannot write ")
    assert done.stderr.endswith(": No space left on device\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("ending", ["", *COMPRESSIONS])
def test_a_file_that_cannot_be_written_completely_leaves_the_old_one(
    home: Path, ending: str
) -> None:
    name = f"out.csv{ending}"
    (home / name).write_text("old\n")
    refused = pytest.raises(OutputError, match=rf"^cannot write {name}: ")
    with refused, full_disk(), open_output(name) as out:
        out.write(secrets.token_hex(4 * LIMIT))
    assert (home / name).read_text() == "old\n"
    assert list(home.iterdir()) == [home / name]


def test_a_submission_that_finds_no_room_for_its_temporary_file_stores_nothing(
    bullseye: Bullseye, redis: str, home: Path
) -> None:
    (home / "many.txt").write_text(f"{PUZZLE}\n" * (LIMIT // 16))
    with full_disk():
        result = bullseye("submit", "many.txt")
    assert (result.code, result.out) == (74, "")
    assert result.err == "error: cannot write the output or a temporary file: File too large\n"
    assert not (home / "bullseye.db").exists()

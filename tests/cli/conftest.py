import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

import cli
from cli.main import run

ROOT = Path(cli.__file__).parent.parent

EASY = "987..25..........7.....736...32..4..4...8....625.....3.5..1..3.1.8376.5....5..19."


class Said(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Bullseye = Callable[..., Said]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user with nothing set up: own folder, own database, no Redis, 80 columns, no colour."""
    for name in [name for name in os.environ if name.startswith("BULLSEYE_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("BULLSEYE_DATABASE_URL", str(tmp_path / "bullseye.db"))
    monkeypatch.setenv("BULLSEYE_REDIS_URL", "redis://127.0.0.1:1/0")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def bullseye(capsys: pytest.CaptureFixture[str]) -> Bullseye:
    """Run a command in this process."""

    def call(*arguments: object) -> Said:
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return call


def spawned(*arguments: object) -> subprocess.Popen[str]:
    """Start a command in a process of its own, its streams in pipes."""
    return subprocess.Popen(
        [sys.executable, "-m", "cli.main", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )

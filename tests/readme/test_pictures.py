"""The pictures in README.md are drawn by the program."""

import os
import subprocess
import sys
from pathlib import Path

from tests.readme.reading import FILE, ROOT

PICTURE = "examples/target-8.svg"


def bullseye(home: Path, *arguments: str) -> str:
    """What a command prints, in a home of its own."""
    env = {**os.environ, "BULLSEYE_DATABASE_URL": str(home / "bullseye.db")}
    command = [sys.executable, "-m", "cli.main", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=env, check=True, capture_output=True, text=True
    ).stdout


def test_the_picture_is_what_show_draws(tmp_path: Path) -> None:
    assert f"]({PICTURE})" in FILE.read_text()
    bullseye(tmp_path, "solve", "--target", "examples/target.txt")
    drawn = bullseye(tmp_path, "show", "8", "--svg", "-")
    why = f"bullseye show 8 --svg {PICTURE} draws it anew"
    assert drawn == (ROOT / PICTURE).read_text(), why

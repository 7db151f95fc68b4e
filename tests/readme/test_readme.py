"""README.md: its quick start, commands, folders, picture and figures match the project."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.main import COMMANDS, run
from tests.readme.reading import DOCS, README, ROOT, blocks, is_output, quoted, section, table

TEXT = README.read_text()
PICTURE = "examples/target-8.svg"


def test_the_quick_start_has_two_lines_and_shows_the_output_of_the_first() -> None:
    quick, shown, *_ = blocks(section(TEXT, "Quick start"))
    first, second = quick.lines
    assert quick.language == "sh"
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install ")
    assert second.endswith(" && .venv/bin/pytest")
    assert is_output(shown)


def test_the_command_table_lists_every_command_in_the_order_of_the_help() -> None:
    rows = table(section(TEXT, "Commands"))
    assert [quoted(command).split()[:2] for command, _ in rows] == [
        ["bullseye", name] for name in COMMANDS
    ]


def test_every_command_that_is_mentioned_exists_and_has_help(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code = "\n".join(line for block in blocks(TEXT) for line in block.lines)
    code += "\n".join(re.findall(r"`([^`\n]+)`", TEXT))
    mentioned = set(re.findall(r"(?<!from )(?<!-A )\bbullseye ([a-z]+)", code))
    assert mentioned == set(COMMANDS)
    for command in mentioned:
        assert run([command, "--help"]) == 0
        assert f"bullseye {command}" in capfd.readouterr().out


def test_the_folder_table_lists_the_packages_the_tests_and_the_documents() -> None:
    listed = {quoted(folder).rstrip("/") for folder, _ in table(section(TEXT, "Develop"))}
    assert listed == {"bullseye", "cli", "worker", "storage", "tests", "docs"}


def test_the_figures_are_those_of_the_benchmarks_page() -> None:
    solver = table(section((DOCS / "benchmarks.md").read_text(), "The solver"))
    measured = {name: (time, ratio.partition(" ")[0]) for name, time, _, ratio in solver}
    quoted_here = {name: (time, ratio) for name, time, ratio in table(section(TEXT, "How fast"))}
    assert quoted_here
    assert quoted_here.items() <= measured.items()


def bullseye(home: Path, *arguments: str) -> str:
    """Run a command on a database in `home`; return its stdout."""
    env = {**os.environ, "BULLSEYE_DATABASE_URL": str(home / "bullseye.db")}
    command = [sys.executable, "-m", "cli.main", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env=env, check=True, capture_output=True, text=True
    ).stdout


def test_the_picture_is_the_output_of_show(tmp_path: Path) -> None:
    assert f"]({PICTURE})" in TEXT
    bullseye(tmp_path, "solve", "--target", "examples/target.txt")
    drawn = bullseye(tmp_path, "show", "8", "--svg", "-")
    assert drawn == (ROOT / PICTURE).read_text(), f"To update: bullseye show 8 --svg {PICTURE}"

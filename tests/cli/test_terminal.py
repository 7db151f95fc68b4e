"""Output on a terminal, with and without colours."""

import re
from pathlib import Path

import pytest
from click import unstyle
from rich.cells import cell_len

from tests.cli.answers import TARGET, UNIQUE
from tests.cli.conftest import EASY, Database, run_process
from tests.cli.terminal import run_in_terminal

FAILED = UNIQUE._replace(status="failed")


def test_a_terminal_gets_a_table(database: Database) -> None:
    database.store([UNIQUE])
    code, text = run_in_terminal("results")
    assert code == 0
    assert text.splitlines()[0].replace("\x1b[1m", "").startswith("id  clues  status")


def test_a_terminal_gets_a_description_of_the_batch(home: Path, redis: str) -> None:
    (home / "puzzles.txt").write_text(f"{EASY}\n" * 3)
    code, text = run_in_terminal("submit", "puzzles.txt", "--name", "sunday")
    assert code == 0
    assert f"batch 1 sunday: 3 puzzles in {home / 'bullseye.db'}\n" in text


def test_a_dry_run_breaks_between_words(home: Path) -> None:
    (home / "puzzles.txt").write_text(f"{EASY}\n")
    _, text = run_in_terminal("solve", "--dry-run", "puzzles.txt")
    assert text == (
        "puzzles.txt: lines, 9x9, empty '.', 1 puzzle, 0 invalid lines, read as sudoku\n"
        "  (for target sudoku add --target)\n"
    )


def test_a_wide_terminal_shows_a_long_name_of_a_batch(database: Database) -> None:
    name = "数独 " * 20 + "end"
    database.store([UNIQUE], name=name)
    assert f"  {name}\n" in run_in_terminal("status", COLUMNS="200")[1]
    assert all(cell_len(line) <= 80 for line in run_in_terminal("status")[1].splitlines())


def test_rings_have_colours_on_a_terminal(database: Database) -> None:
    database.store([TARGET])
    _, text = run_in_terminal("show", 1)
    assert "\x1b[" in text
    assert "48;5;" in text or "48;2;" in text


def test_without_colour_the_rings_are_a_table(database: Database) -> None:
    database.store([TARGET])
    for text in (
        run_in_terminal("show", 1, NO_COLOR="1")[1],
        run_in_terminal("show", 1, TERM="dumb")[1],
    ):
        assert "48;" not in text
        assert "    10      1       8      80\n" in text
        assert " 9 8 7   . . 2   5 . .    9 8 7   6 3 2   5 4 1" in text


def test_no_color_removes_escape_sequences_from_a_table(database: Database) -> None:
    database.store([UNIQUE])
    _, text = run_in_terminal("results", NO_COLOR="1")
    assert "\x1b" not in text


def test_statuses_have_colours_on_a_terminal_and_in_a_pipe_if_they_are_forced(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.store([UNIQUE, FAILED])
    assert "\x1b[38;5;160mfailed\x1b[0m" in run_in_terminal("results")[1]
    assert "\x1b" not in run_process("results", "-f", "table").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[38;5;160mfailed\x1b[0m" in run_process("results", "-f", "table").out


def test_no_color_removes_colours_from_help() -> None:
    assert "\x1b[" in run_in_terminal("--help")[1]
    assert "\x1b[3" not in run_in_terminal("--help", NO_COLOR="1")[1]


def test_a_failed_check_has_a_colour_and_lines_break_between_words(database: Database) -> None:
    text = run_in_terminal("doctor")[1]
    piped = run_process("doctor").out
    assert "\x1b[38;5;160mfail\x1b[0m  redis" in text
    assert "\x1b" not in piped
    lines = unstyle(text).splitlines()
    assert all(len(line) <= 80 or len(line.split()) <= 4 for line in lines)  # a path has no spaces
    assert any(line.startswith(" " * 16) for line in lines)
    assert "\nfail  redis     cannot reach Redis " in piped
    assert _words(lines) == _words(piped.splitlines())


def test_an_error_breaks_between_words_on_a_terminal(home: Path) -> None:
    (home / "a b.txt").write_text(f"{EASY}\n" * 3 + "nonsense\n")
    command = ("solve", "--dry-run", "--weights", "a b.txt", "--target", "x" * 50)
    code, text = run_in_terminal(*command)
    result = run_process(*command)
    assert code == result.code == 65
    assert max(map(len, text.splitlines())) <= 80 < max(map(len, result.err.splitlines()))
    assert _words(text.splitlines()) == _words(result.err.splitlines())
    assert all(line.startswith(" " * len("error: ")) for line in text.splitlines()[1:])


def _words(lines: list[str]) -> list[str]:
    """Return the words, but not how much of the disk is free, which changes meanwhile."""
    return re.sub(r"\S+ GB free", "GB free", " ".join(lines)).split()

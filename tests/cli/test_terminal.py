"""Output on a terminal, with and without colours."""

from pathlib import Path

from tests.cli.answers import TARGET, UNIQUE
from tests.cli.conftest import EASY, Database
from tests.cli.terminal import run_in_terminal


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


def test_no_color_removes_colours_from_help() -> None:
    assert "\x1b[" in run_in_terminal("--help")[1]
    assert "\x1b[3" not in run_in_terminal("--help", NO_COLOR="1")[1]

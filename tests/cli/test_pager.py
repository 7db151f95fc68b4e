"""A table that is higher than the terminal goes through a pager."""

from pathlib import Path

import pytest

from tests.cli.answers import UNIQUE
from tests.cli.conftest import EASY, Database
from tests.cli.terminal import run_at_keyboard

ROWS = 30


@pytest.fixture
def pager(home: Path) -> str:
    """Return a pager that shows two lines and the variable `LESS`, and does not read the rest."""
    program = home / "pager"
    program.write_text('#!/bin/sh\nread -r a; read -r b; echo "$a|$b|$LESS"\n')
    program.chmod(0o755)
    return str(program)


def results(database: Database, pager: str, lines: int) -> str:
    """Return what `results` writes to a terminal that has this number of lines."""
    database.store([UNIQUE] * ROWS)
    code, text = run_at_keyboard("results", PAGER=pager, LINES=str(lines))
    assert code == 0
    return text


def test_a_pager_that_is_quit_ends_the_command_without_a_message(
    database: Database, pager: str
) -> None:
    text = results(database, pager, ROWS + 1)
    assert text.count("\n") == 1
    assert text.startswith("id  clues")
    assert text.endswith("|-FRX\n")


def test_rows_of_a_query_may_be_left_unread(database: Database, pager: str) -> None:
    database.store([UNIQUE] * 2000)
    code, text = run_at_keyboard("query", "SELECT id FROM answers", PAGER=pager, LINES="10")
    assert (code, text) == (0, "id|1|-FRX\n")


def test_a_table_that_fits_the_screen_needs_no_pager(database: Database, pager: str) -> None:
    text = results(database, pager, ROWS + 2)
    assert text.count("\n") == ROWS + 1


def test_cat_and_an_unknown_pager_show_the_whole_table(database: Database) -> None:
    assert results(database, "cat", 10).count("\n") == ROWS + 1
    assert results(database, "no-such-pager", 10).count("\n") == 2 * ROWS + 1


def test_less_is_given_the_options_of_the_user(
    database: Database, pager: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LESS", "-R")
    assert results(database, pager, 10).endswith("|-R\n")


def test_solve_counts_the_answers_that_the_pager_did_not_show(home: Path, pager: str) -> None:
    (home / "puzzles.txt").write_text(f"{EASY}\n" * ROWS)
    code, text = run_at_keyboard("solve", "puzzles.txt", PAGER=pager, LINES="10")
    assert code == 0
    assert "|-FRX\n" in text
    assert f"{ROWS} puzzles · {ROWS} solved ({ROWS} multiple)" in text

"""What a person sees, and what stays when colours go."""

from pathlib import Path

from tests.cli.answers import BEST, TARGET, UNIQUE
from tests.cli.conftest import EASY, Filled
from tests.cli.terminal import seen


def test_a_terminal_gets_a_table(filled: Filled) -> None:
    filled.store([UNIQUE])
    code, text = seen("results")
    assert code == 0
    assert text.splitlines()[0].replace("\x1b[1m", "").startswith("id  clues  status")


def test_a_terminal_gets_the_batch_in_words(home: Path, redis: str) -> None:
    assert redis
    (home / "puzzles.txt").write_text(f"{EASY}\n" * 3)
    code, text = seen("submit", "puzzles.txt", "--name", "sunday")
    assert code == 0
    assert f"batch 1 sunday: 3 puzzles in {home / 'bullseye.db'}\n" in text


def test_rings_have_colours_on_a_terminal(filled: Filled) -> None:
    filled.store([TARGET])
    _, text = seen("show", 1)
    assert "\x1b[" in text
    assert "48;5;" in text or "48;2;" in text


def test_without_colour_no_escape_is_written_and_the_rings_are_told(filled: Filled) -> None:
    filled.store([TARGET])
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        _, text = seen("show", 1, **environment)
        assert "48;" not in text
        assert "    10      1       8      80\n" in text
        assert " 9 8 7   . . 2   5 . .    9 8 7   6 3 2   5 4 1" in text
        assert BEST[:3] == "987"


def test_no_colour_means_a_table_without_escapes(filled: Filled) -> None:
    filled.store([UNIQUE])
    _, text = seen("results", NO_COLOR="1")
    assert "\x1b" not in text


def test_help_has_colours_only_where_they_are_wanted() -> None:
    assert "\x1b[" in seen("--help")[1]
    assert "\x1b[3" not in seen("--help", NO_COLOR="1")[1]

"""Nonsense on the command line is refused with 2, before any file is looked at twice."""

from pathlib import Path

import pytest

from tests.cli.conftest import EASY, Bullseye
from worker.formats.layout import FORMATS


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--limit", "2", "--target", EASY], "--limit does not go with --target"),
        (["--limit", "all", "--target", EASY], "--limit does not go with --target"),
        (["--every", EASY], "--every needs --target"),
        (["--weights", "w.txt", EASY], "--weights needs --target"),
        (["--limit", "0", EASY], "'0' is neither a number from 1 nor 'all'"),
        (["--limit", "-1", EASY], "'-1' is neither"),
        (["--limit", "1.5", EASY], "'1.5' is neither"),
        (["--keep", "0", EASY], "'--keep'"),
        (["--timeout", "0", EASY], "no number of seconds"),
        (["--timeout", "-1", EASY], "no number of seconds"),
        (["--timeout", "nan", EASY], "no number of seconds"),
        (["--timeout", "inf", EASY], "no number of seconds"),
        (["--timeout", "soon", EASY], "'soon' is not a valid number"),
        (["--from", "xml", EASY], "'xml' is none of: lines"),
        (["--nonsense", EASY], "--nonsense"),
        ([], "FILE"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "submit"])
def test_nonsense_is_a_usage_error(
    bullseye: Bullseye, command: str, arguments: list[str], words: str
) -> None:
    said = bullseye(command, *arguments)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert words in said.err
    assert f"see: bullseye {command} --help" in said.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "-j", "0", EASY], "'-j'"),
        (["solve", "-j", "many", EASY], "'-j'"),
        (["solve", "-f", "xml", EASY], "'-f'"),
        (["worker", "-c", "0"], "'-c'"),
        (["status", "x"], "'[BATCH]'"),
        (["status", "--watch"], "which"),
        (["status", "--first", "0"], "'--first'"),
        (["results", "--status", "fine"], "'--status'"),
        (["results", "--first", "-1"], "'--first'"),
        (["results", "--min-score", "high"], "'--min-score'"),
        (["results", "-f", "judge", "--status", "solved"], "whole batch"),
        (["show"], "ID"),
        (["show", "0"], "'ID'"),
        (["retry"], "BATCH"),
        (["cancel", "-1"], "-1"),
        (["nonsense"], "nonsense"),
    ],
)
def test_nonsense_for_the_other_commands_is_a_usage_error(
    bullseye: Bullseye, arguments: list[str], words: str
) -> None:
    said = bullseye(*arguments)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert words in said.err


def test_target_on_other_grids_needs_weights(bullseye: Bullseye) -> None:
    said = bullseye("solve", "-n", "--target", "1" + "." * 15)
    assert said.code == 2
    assert "4x4 grids have no weights of their own; --target needs --weights FILE" in said.err


def test_target_on_other_grids_goes_with_weights(bullseye: Bullseye, home: Path) -> None:
    (home / "weights.txt").write_text("1 2 3 4\n" * 4)
    said = bullseye("solve", "-n", "--target", "--weights", "weights.txt", "1" + "." * 15)
    assert said.code == 0
    assert "read as target" in said.out


def test_weights_must_fit_the_grid(bullseye: Bullseye, home: Path) -> None:
    (home / "weights.txt").write_text("1 2 3 4\n" * 4)
    said = bullseye("solve", "-n", "--target", "--weights", "weights.txt", EASY)
    assert said.code == 2
    assert "16 weights do not fit 9x9 grids, which need 81." in said.err


def test_weights_that_are_none_are_bad_input(bullseye: Bullseye, home: Path) -> None:
    (home / "weights.txt").write_text("1 2 three 4\n" * 4)
    said = bullseye("solve", "--target", "--weights", "weights.txt", EASY)
    assert said.code == 65
    assert said.err == "error: weights.txt: the weight `three` is not a whole number\n"


def test_help_names_every_format_that_can_be_read(bullseye: Bullseye) -> None:
    help_text = bullseye("solve", "--help").out
    assert all(name in help_text for name in FORMATS)


def test_a_batch_is_a_number_that_the_database_can_hold(bullseye: Bullseye) -> None:
    assert bullseye("status", 2**63).code == 2


def test_stdin_is_read_once_only(bullseye: Bullseye) -> None:
    said = bullseye("solve", "-", "-")
    assert said.code == 2
    assert "stdin (-) can be read only once" in said.err

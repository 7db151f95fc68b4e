"""A collection is checked: the exit code says whether it held."""

from pathlib import Path

import pytest

from tests.cli.conftest import Bullseye, finished

UNIQUE = "12..34..2.4...21"
SEVERAL = "." * 16
NONE = "11" + "." * 14


@pytest.mark.parametrize(
    ("puzzles", "code", "told"),
    [
        ([UNIQUE], 0, None),
        ([UNIQUE, SEVERAL], 1, "expected unique: 1 of 2 puzzles is not · list them: bullseye "),
        ([UNIQUE, SEVERAL, NONE], 1, "expected unique: 2 of 3 puzzles are not · list them: "),
    ],
)
def test_a_puzzle_that_is_not_unique_makes_the_exit_code_1(
    puzzles: list[str], code: int, told: str | None, home: Path
) -> None:
    (home / "puzzles.txt").write_text("\n".join(puzzles))
    said = finished("solve", "puzzles.txt", "--expect", "unique", "-o", "answers.txt")
    assert said.code == code
    assert (told or "") in said.err
    assert ("expected" in said.err) == (told is not None)
    if told:
        where = said.err.split("--where '")[1].split("'")[0]
        listed = finished("results", "1", "--where", where, "--template", "{puzzle}")
        assert listed.out.split() == puzzles[1:]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--target"], "does not go with --target"),
        (["--limit", "1"], "--limit 2"),
    ],
)
def test_what_nobody_can_know_is_not_to_be_expected(
    options: list[str], what: str, bullseye: Bullseye
) -> None:
    said = bullseye("solve", UNIQUE, "--expect", "unique", *options)
    assert said.code == 2
    assert what in said.err


def test_who_does_not_wait_cannot_expect(bullseye: Bullseye) -> None:
    said = bullseye("submit", UNIQUE, "--expect", "unique")
    assert said.code == 2
    assert "--expect needs --wait" in said.err

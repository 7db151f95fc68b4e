"""`--expect unique`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Bullseye

UNIQUE = "12..34..2.4...21"
SEVERAL = "." * 16
NONE = "11" + "." * 14


@pytest.mark.parametrize(
    ("puzzles", "code", "message"),
    [
        ([UNIQUE], 0, None),
        ([UNIQUE, SEVERAL], 1, "expected unique: 1 of 2 puzzles is not · list them: bullseye "),
        ([UNIQUE, SEVERAL, NONE], 1, "expected unique: 2 of 3 puzzles are not · list them: "),
    ],
)
def test_a_puzzle_that_is_not_unique_makes_the_exit_code_1(
    puzzles: list[str], code: int, message: str | None, home: Path, bullseye: Bullseye
) -> None:
    (home / "puzzles.txt").write_text("\n".join(puzzles))
    result = bullseye("solve", "puzzles.txt", "--expect", "unique", "-o", "answers.txt")
    assert result.code == code
    assert (message or "") in result.err
    assert ("expected" in result.err) == (message is not None)
    if message:
        where = result.err.split("--where '")[1].split("'")[0]
        listed = bullseye("results", "1", "--where", where, "--template", "{puzzle}")
        assert listed.out.split() == puzzles[1:]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["--target"], "cannot be combined with --target"),
        (["--limit", "1"], "--limit 2"),
    ],
)
def test_expect_is_rejected_if_the_search_cannot_decide_it(
    options: list[str], what: str, bullseye: Bullseye
) -> None:
    result = bullseye("solve", UNIQUE, "--expect", "unique", *options)
    assert result.code == 2
    assert what in result.err


def test_expect_needs_wait(bullseye: Bullseye) -> None:
    result = bullseye("submit", UNIQUE, "--expect", "unique")
    assert result.code == 2
    assert "--expect needs --wait" in result.err

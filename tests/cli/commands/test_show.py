"""`bullseye show` on a real database; tests/cli/drawing tests the drawing."""

from storage.database import write
from storage.tables import solution
from tests.cli.answers import BEST, TARGET
from tests.cli.conftest import Bullseye, Database


def test_show_draws_a_puzzle_with_its_further_solutions(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store([TARGET])
    with write(database.engine) as connection:
        connection.execute(solution.insert().values(answer_id=1, rank=2, score=2866, text=BEST))
    result = bullseye("show", 1)
    assert result.code == 0
    assert f"puzzle 1 · batch {batch}, position 1 · target 9x9 · 30 clues" in result.out
    assert " 2. · score 2866" in result.out
    assert "\x1b" not in result.out


def test_a_puzzle_without_answer_is_a_usage_error(bullseye: Bullseye, database: Database) -> None:
    database.store([], waiting=1)
    result = bullseye("show", 1)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: puzzle 1 has no answer")

"""One puzzle of a real database; how it looks is tested beside `portrait`."""

from storage.database import write
from storage.tables import solution
from tests.cli.answers import BEST, TARGET
from tests.cli.conftest import Bullseye, Filled


def test_it_shows_a_puzzle_with_its_further_solutions(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store([TARGET])
    with write(filled.engine) as connection:
        connection.execute(solution.insert().values(answer_id=1, rank=2, score=2866, text=BEST))
    said = bullseye("show", 1)
    assert said.code == 0
    assert f"puzzle 1 · batch {batch}, position 1 · target 9x9 · 30 clues" in said.out
    assert " 2. · score 2866" in said.out
    assert "\x1b" not in said.out


def test_a_puzzle_that_is_not_answered_is_named(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([], waiting=1)
    said = bullseye("show", 1)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: puzzle 1 has no answer")

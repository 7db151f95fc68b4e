"""`prove` and `check`: proofs of stored answers, and what has none."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.proofs import proof_of
from storage.queries.searches import Counted
from storage.values import Gain
from storage.view import AnswerRow
from tests.cli.answers import COVER, INVALID, MULTIPLE, NONE, TIMEOUT, UNIQUE
from tests.cli.conftest import ROOT, Bullseye, Database
from tests.storage.harness import GRID
from tests.storage.searching.harness import SearchHarness
from worker.options import Options

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
SOLVED = "812753649943682175675491283154237896369845721287169534521974368438526917796318452"
HARD_ANSWER = UNIQUE._replace(puzzle=HARD, solution=SOLVED)
TWO = COVER._replace(puzzle='{"items":1,"options":[[1],[1]]}', solution="1", solutions=2)


def stored(database: Database, answer: AnswerRow, kind: str = "sudoku") -> int:
    """Store an answer, and return the id of its puzzle."""
    with database.engine.connect() as connection:
        batch = database.store([answer], kind=kind)
        found = connection.exec_driver_sql(f"SELECT id FROM answers WHERE batch = {batch}")
        return int(found.scalar_one())


def test_the_proof_of_an_answer_is_accepted_by_check_and_by_the_program_alone(
    bullseye: Bullseye, database: Database, home: Path
) -> None:
    puzzle = stored(database, HARD_ANSWER)
    written = bullseye("prove", puzzle, "-o", "hard.proof")
    assert (written.code, written.out) == (0, "")
    assert written.err == f"puzzle {puzzle}, proven: 1 solution\n"
    assert bullseye("check", "hard.proof").out == "hard.proof: proven: 1 solution\n"
    alone = subprocess.run(
        [sys.executable, "-I", "-S", ROOT / "examples" / "check.py", "hard.proof"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert alone.stdout == "hard.proof: proven: 1 solution\n"
    assert bullseye("prove", puzzle).out == (home / "hard.proof").read_text()


@pytest.mark.parametrize(
    ("file", "options", "claim"),
    [
        ("stations.dlx", [], "the best score is -18"),
        ("stations.dlx", ["--set-cover", "--at-most", 25, "--limit", "all"], "at most 25"),
        ("auction.dlx", ["--target"], "the best score is 32"),
        ("helpers.dlx", ["--target"], "the best score is -39"),
        ("crew.dlx", ["--target"], "the best score is -23"),
    ],
)
def test_covers_of_every_kind_are_proven(
    bullseye: Bullseye, home: Path, file: str, options: list[object], claim: str
) -> None:
    solved = bullseye(
        "solve", ROOT / "examples" / file, *options, "--prove", "proofs", "-o", "x.csv"
    )
    assert solved.code == 0
    proven = bullseye("check", *(home / "proofs").iterdir())
    assert (proven.code, proven.err) == (0, "")
    assert claim in proven.out


def test_the_proof_of_a_divided_search_lists_its_parts(
    bullseye: Bullseye, database: Database, home: Path
) -> None:
    # Of the 288 grids of 4x4, 72 begin with a 1.
    harness = SearchHarness(database.engine)
    batch = harness.begin([("[]", 0.5, None, ()), ("[]", 0.5, None, (0,))], Gain(10, 1, 1))
    for sent, found in zip(harness.claim_parts(), (206, 72), strict=True):
        assert harness.end_turn(harness.must_take_part(sent), Gain(found, 5, 1))
    puzzle = batch.first_id
    assert bullseye("prove", puzzle, "-o", "x").err == f"puzzle {puzzle}, proven: 288 solutions\n"
    proof = (home / "x").read_text()
    assert proof.splitlines()[1:] == [
        f"sudoku {GRID}",
        "solutions 288",
        "part 216 6",
        "part 72 5 1",
    ]
    sample = bullseye("check", "x", "--sample", 1, "--seed", 0)
    assert sample.out == "x: 288 solutions in 2 parts, 1 of them counted again\n"
    assert bullseye("check", "x", "--timeout", "30").out == "x: proven: 288 solutions\n"
    (home / "x").write_text(proof.replace("part 72 5 1", "part 72 5 2").replace("216", "217"))
    assert bullseye("check", "x").code == 1


def test_parts_of_a_grid_with_clues_have_the_options_of_the_empty_grid(
    bullseye: Bullseye, home: Path
) -> None:
    # Of the 72 grids that begin with a 1, 24 have a 2 beside it, the first option that is left.
    answer = MULTIPLE._replace(puzzle="1" + "." * 15, solutions=72, complete=1)
    parts = [Counted((), 48, 5), Counted((0,), 24, 5)]
    proof = proof_of(answer, Options(limit=None), parts)
    assert proof.splitlines()[3:] == ["part 48 5", "part 24 5 6"]
    (home / "x").write_text(proof)
    assert bullseye("check", "x").out == "x: proven: 72 solutions\n"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (MULTIPLE._replace(solutions=1), "its search stopped early; solve it with --limit all"),
        (TIMEOUT, "its status is timeout"),
        (INVALID, "its status is invalid"),
        (
            COVER._replace(
                puzzle='{"items":1,"options":[[1]],"distances":[[2]],"at_most":1,"set_cover":true}'
            ),
            "the answer is a least radius",
        ),
    ],
)
def test_an_answer_without_a_proof_is_named_with_the_reason(
    bullseye: Bullseye, database: Database, answer: AnswerRow, reason: str
) -> None:
    puzzle = stored(database, answer, "cover" if answer.kind == "cover" else "sudoku")
    result = bullseye("prove", puzzle)
    assert (result.code, result.out) == (1, "")
    assert " ".join(result.err.split()).startswith(f"error: puzzle {puzzle} has no proof: ")
    assert reason in " ".join(result.err.split())


@pytest.mark.parametrize(
    "wrong",
    [HARD_ANSWER._replace(solutions=2), NONE._replace(puzzle=HARD), TWO._replace(solutions=1)],
)
def test_a_wrong_answer_is_not_proven(
    bullseye: Bullseye, database: Database, wrong: AnswerRow
) -> None:
    puzzle = stored(database, wrong, "cover" if wrong.kind == "cover" else "sudoku")
    result = bullseye("prove", puzzle)
    assert (result.code, result.out) == (1, "")
    assert re.match(rf"error: the answer to puzzle {puzzle} is wrong; do not use it", result.err)


def test_a_wrong_proof_exits_with_1_and_a_file_that_is_not_a_proof_with_65(
    bullseye: Bullseye, home: Path
) -> None:
    (home / "wrong.proof").write_text(f"bullseye proof 1\nsudoku {HARD}\nsolutions 1\ntrace r1c2\n")
    (home / "not.proof").write_text("nothing\n")
    wrong = bullseye("check", "wrong.proof")
    assert (wrong.code, wrong.out) == (1, "")
    assert wrong.err == ("wrong.proof: not proven: it branches on nothing, not on an open item\n")
    assert bullseye("check", "wrong.proof", "not.proof").code == 65
    assert bullseye("check", "none.proof").code == 65


def test_solve_writes_a_proof_of_each_answer_that_has_one(bullseye: Bullseye, home: Path) -> None:
    (home / "two.txt").write_text(f"{HARD}\n{'.' * 81}\n")
    solved = bullseye("solve", "-j", "1", "two.txt", "--prove", "proofs", "-o", "answers.csv")
    assert solved.code == 0
    assert "2 proofs in proofs · 0 answers without one" in solved.err
    unique, several = sorted((home / "proofs").iterdir())
    assert bullseye("check", unique).out.endswith(": proven: 1 solution\n")
    assert bullseye("check", several).out.endswith(": proven: 2 or more solutions\n")


def test_a_folder_that_cannot_be_made_for_proofs_is_an_output_error(
    bullseye: Bullseye, home: Path
) -> None:
    (home / "file").write_text("")
    solved = bullseye("solve", "-j", "1", HARD, "--prove", "file/proofs", "-o", "answers.csv")
    assert solved.code == 74
    assert "cannot write proofs to file/proofs: Not a directory" in solved.err

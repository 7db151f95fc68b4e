"""`--verify`: given solutions compared with answers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import hypothesis
import pytest
from hypothesis import strategies as st

from cli.progress.wait import finish
from cli.verify import GivenSolutions, Verdict, given_solutions, judge_solution
from storage.database import read
from storage.queries.progress import read_progress
from storage.values import Kind
from storage.view import AnswerRow
from tests.cli.answers import BEST, NONE, UNIQUE
from tests.cli.conftest import Bullseye, Database
from worker.errors import BadUsage
from worker.formats.entry import Block, Entry, blocks_of
from worker.options import Options
from worker.settings import Settings

#: three covers: 1 2 costs 7, 3 costs 9, 1 4 costs 7
COSTLY = '{"items":2,"secondary":0,"options":[[1],[2],[1,2],[2]],"costs":[3,4,9,4]}'
ONE, SOLVED = "12..34..2.4...21", "1234341221434321"
#: it has these three solutions, of which `solve` keeps one
SEVERAL = "1.......2...4..1"
THREE = ("1234341221434321", "1243341221344321", "1432321421434321")
NEVER = "11.............."
TURNED = SOLVED.translate(str.maketrans("14", "41"))  #: valid, but not with the clues of ONE
TWICE = "1234" * 4


def _answer(puzzle: str, solution: str | None, **more: Any) -> AnswerRow:
    base = UNIQUE if solution else NONE
    return base._replace(puzzle=puzzle, size=4, solution=solution, **more)


@pytest.mark.parametrize(
    ("answer", "given", "verdict", "why"),
    [
        (_answer(ONE, SOLVED), SOLVED, Verdict.AGREES, ""),
        (_answer(ONE, SOLVED), TURNED, Verdict.WRONG, "row 1, column 1 is 4"),
        (_answer("." * 16, SOLVED), TWICE, Verdict.WRONG, "column 1 has 1 twice"),
        (_answer("." * 16, SOLVED), "1" * 16, Verdict.WRONG, "row 1 has 1 twice"),
        (
            _answer("." * 16, SOLVED),
            "1234234134124123",
            Verdict.WRONG,
            "box 1 has 2 twice",
        ),
        (_answer(NEVER, None), SOLVED, Verdict.WRONG, "the puzzle has no solution"),
        (_answer(ONE, None), SOLVED, Verdict.WRONG, "please report this"),
        (_answer(SEVERAL, THREE[0], solutions=2, complete=0), THREE[1], Verdict.OTHER, ""),
        (_answer(SEVERAL, THREE[0], solutions=1), THREE[1], Verdict.WRONG, "please report"),
        (_answer(ONE, None, status="timeout"), TWICE, Verdict.UNKNOWN, ""),
        (_answer(ONE, None, status="failed"), SOLVED, Verdict.UNKNOWN, ""),
        (_answer(ONE, SOLVED, status="timeout"), SOLVED, Verdict.AGREES, ""),
    ],
)
def test_a_given_grid_gets_its_verdict(
    answer: AnswerRow, given: str, verdict: Verdict, why: str
) -> None:
    found, words = judge_solution(answer, given, Options())
    assert found is verdict
    assert words.startswith(why) or why in words
    assert bool(words) == bool(why)


def test_with_target_a_given_solution_needs_the_highest_score() -> None:
    best = _answer(SEVERAL, THREE[2], kind="target", score=14, solutions=None)
    options = Options(target=True, weights=(0, 1, 1) + (0,) * 13)
    assert judge_solution(best._replace(score=7), THREE[2], options)[0] is Verdict.AGREES
    verdict, why = judge_solution(best._replace(score=7), THREE[0], options)
    assert (verdict, why) == (Verdict.WRONG, "its score is 5, the best is 7")
    alike = Options(target=True, weights=(1,) * 16)
    assert judge_solution(best._replace(score=40), THREE[0], alike) == (Verdict.OTHER, "")


def test_the_rings_are_the_default_weights() -> None:
    other = BEST.translate(str.maketrans("12", "21"))
    answer = UNIQUE._replace(puzzle="." * 81, solution=other, score=2870, solutions=None)
    assert judge_solution(answer, BEST, Options(target=True)) == (Verdict.OTHER, "")


@hypothesis.given(st.integers(0, 15), st.sampled_from("1234"))
def test_a_solution_with_one_cell_changed_is_wrong(at: int, symbol: str) -> None:
    given = SOLVED[:at] + symbol + SOLVED[at + 1 :]
    verdict, _ = judge_solution(
        _answer("." * 16, SOLVED, solutions=2, complete=0), given, Options()
    )
    assert verdict is (Verdict.AGREES if given == SOLVED else Verdict.WRONG)


TOY = '{"items":3,"secondary":1,"options":[[1,4],[2,3],[1],[3,4],[2]],"names":["a","b","c","x"]}'
#: item A once, item B two or three times, colours of X must agree
SEVERAL_TIMES = json.dumps(
    {
        "items": 2,
        "secondary": 1,
        "options": [[1, 2], [2, 3], [2, 3], [2], [2], [2, 3]],
        "colours": [[], [[3, "red"]], [[3, "red"]], [], [], [[3, "blue"]]],
        "names": ["A", "B", "X"],
        "multiplicities": [[1, 1], [2, 3]],
    }
)


@pytest.mark.parametrize(
    ("puzzle", "given", "verdict", "why"),
    [
        (TOY, "1 2", Verdict.AGREES, ""),
        (TOY, "2 3", Verdict.OTHER, ""),
        (TOY, "1 4 5", Verdict.WRONG, "item x is covered twice"),
        (TOY, "1 5", Verdict.WRONG, "item c is not covered"),
        (TOY, "1 6", Verdict.WRONG, "there is no option 6"),
        (TOY, "0", Verdict.WRONG, "there is no option 0"),
        (
            TOY.replace(',"names":["a","b","c","x"]', ""),
            "1 5",
            Verdict.WRONG,
            "item 3 is not covered",
        ),
        (SEVERAL_TIMES, "1 2", Verdict.AGREES, ""),
        (SEVERAL_TIMES, "1 2 3", Verdict.OTHER, ""),
        (SEVERAL_TIMES, "1 4 5", Verdict.OTHER, ""),
        (SEVERAL_TIMES, "1", Verdict.WRONG, "item B is covered 1 time, not 2 to 3"),
        (SEVERAL_TIMES, "1 2 4 5", Verdict.WRONG, "item B is covered 4 times, not 2 to 3"),
        (SEVERAL_TIMES, "2 4", Verdict.WRONG, "item A is not covered"),
        (SEVERAL_TIMES, "1 2 6", Verdict.WRONG, "item X is covered twice"),
        (SEVERAL_TIMES, "1 4 4", Verdict.WRONG, "option 4 occurs twice"),
        (SEVERAL_TIMES, "1 7", Verdict.WRONG, "there is no option 7"),
    ],
)
def test_a_given_cover_gets_its_verdict(
    puzzle: str, given: str, verdict: Verdict, why: str
) -> None:
    found = UNIQUE._replace(kind="cover", puzzle=puzzle, solution="2 1", solutions=2, complete=0)
    assert judge_solution(found, given, Options()) == (verdict, why)


FILE = f"""id,puzzle,solution
a,{ONE},{SOLVED}
b,{SEVERAL},{THREE[0]}
c,{SEVERAL},{THREE[1]}
d,{SEVERAL},{THREE[2]}
e,{ONE},{TWICE}
f,{NEVER},{SOLVED}
g,{ONE},
"""


def test_solve_counts_the_verdicts_and_lists_wrong_solutions(
    bullseye: Bullseye, home: Path
) -> None:
    (home / "some.csv").write_text(FILE)
    result = bullseye("solve", "some.csv", "--verify", "-o", "answers.jsonl")
    assert result.code == 1
    _, *listed, report = result.err.splitlines()
    assert report == (
        "verified: 2 of 6 given solutions agree"
        " · 2 also valid (puzzles with several solutions) · 2 wrong"
    )
    place = "the given solution is wrong: "
    assert listed == [
        f"some.csv line 6 (e): {place}row 2, column 1 is 1, but the clue is 3 · bullseye show 5",
        f"some.csv line 7 (f): {place}the puzzle has no solution; in the given one, "
        "row 1, column 2 is 2, but the clue is 1 · bullseye show 6",
    ]
    assert len((home / "answers.jsonl").read_text().splitlines()) == 7


def test_answers_written_as_json_agree_when_they_are_solved_again(
    bullseye: Bullseye, home: Path
) -> None:
    (home / "cover.dlx").write_text("a b c | x\na x\nb c\na\nc x\nb\n")
    first = bullseye("solve", "cover.dlx", ONE, SEVERAL, "-f", "jsonl")
    assert first.code == 0
    (home / "again.jsonl").write_text(first.out)
    again = bullseye("solve", "again.jsonl", "--verify", "-f", "lines")
    found = [json.loads(line)["solution"] for line in first.out.splitlines()]
    assert (again.code, again.out.splitlines()) == (0, found)
    assert again.err.splitlines()[1:] == ["verified: 3 of 3 given solutions agree"]


def test_files_without_solutions_are_rejected_and_nothing_is_stored(
    bullseye: Bullseye, home: Path, redis: str
) -> None:
    (home / "plain.txt").write_text(f"{ONE}\n{ONE} a\n")
    for command in (["solve", "plain.txt"], ["submit", "--wait", "plain.txt"]):
        result = bullseye(*command, "--verify")
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            "error: plain.txt has no solutions to verify; give them in a column `solution` "
            "or as a second grid on each line.\n"
        )
        result = bullseye(*command, "--verify", "-n")
        assert result.code == 2
        assert "plain.txt has no solutions to verify" in result.err
    assert not (home / "bullseye.db").exists()
    assert "--verify needs --wait" in bullseye("submit", ONE, "--verify").err


@pytest.fixture
def record() -> Iterator[GivenSolutions]:
    """Two puzzles without solution, then twelve wrong solutions and a right one."""
    wanted = given_solutions(True, Options())
    with wanted as given:
        assert given is not None
        bare = Block(Kind.SUDOKU, 81, range(1, 3), f"{ONE}\n{ONE}\n")
        solved = (Entry(line, None, ONE, None, TWICE, Kind.SUDOKU) for line in range(3, 15))
        list(given.record([bare, *blocks_of(solved)], "a.txt"))
        last = Entry(1, None, ONE, None, SOLVED, Kind.SUDOKU)
        list(given.record(blocks_of([last]), "b.txt"))
        yield given


def test_ten_wrong_solutions_are_listed_and_the_others_counted(
    record: GivenSolutions, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = [_answer(ONE, SOLVED, id=at, position=at) for at in range(1, 16)]
    assert list(record.compare_all(answers)) == answers
    assert record.report() == 1
    *listed, more, report = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in listed] == [f"a.txt line {n}" for n in range(3, 13)]
    assert more == "… and 2 more"
    assert report == "verified: 1 of 13 given solutions agree · 12 wrong"


def test_missing_answers_do_not_shift_the_comparison(record: GivenSolutions) -> None:
    record.compare(_answer(ONE, SOLVED, position=15))
    assert record.verdicts == {Verdict.AGREES: 1}


def test_a_finished_batch_is_verified(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    with given_solutions(True, Options()) as given:
        assert given is not None
        list(given.record(blocks_of([Entry(2, None, ONE, None, TWICE, Kind.SUDOKU)]), "-"))
        batch = database.store([_answer(ONE, SOLVED)])
        with read(database.engine) as connection:
            last = read_progress(connection, batch)
        with pytest.raises(click.exceptions.Exit) as code:
            finish(last, database.engine, Settings.from_env(), None, given)
    assert code.value.exit_code == 1
    report = capsys.readouterr().err
    assert "verified: 0 of 1 given solution agrees · 1 wrong" in report
    assert "\nstandard input line 2: the given solution is wrong: " in report


def test_a_source_without_solutions_is_rejected_at_its_end() -> None:
    with given_solutions(True, Options()) as given:
        assert given is not None
        with pytest.raises(BadUsage, match="standard input has no solutions"):
            list(given.record([Block(Kind.SUDOKU, 81, [1], f"{ONE}\n")], "-"))


@pytest.mark.parametrize(
    ("given", "verdict", "why"),
    [
        ("1 2", Verdict.AGREES, ""),
        ("1 4", Verdict.OTHER, ""),
        ("3", Verdict.WRONG, "its score is -9, the best is -7"),
        ("1 3", Verdict.WRONG, "item 1 is covered twice"),
    ],
)
def test_with_target_a_given_cover_needs_the_lowest_cost(
    given: str, verdict: Verdict, why: str
) -> None:
    found = UNIQUE._replace(kind="cover", puzzle=COSTLY, size=2, clues=None, solution="1 2")
    best = found._replace(score=-7, bound=-7, solutions=None)
    assert judge_solution(best, given, Options(target=True)) == (verdict, why)


@pytest.mark.parametrize(
    ("given", "verdict", "why"),
    [
        ("1", Verdict.AGREES, ""),
        ("3", Verdict.OTHER, ""),
        ("2", Verdict.WRONG, "its score is -9, the best is -5"),
        ("1 2", Verdict.WRONG, "it has 2 options"),
    ],
)
def test_a_given_cover_of_a_problem_with_distances_needs_the_least_radius(
    given: str, verdict: Verdict, why: str
) -> None:
    near = {"items": 2, "secondary": 0, "options": [[1, 2], [1, 2], [2, 1]], "at_most": 1}
    puzzle = json.dumps(near | {"set_cover": True, "distances": [[5, 5], [1, 9], [0, 5]]})
    found = UNIQUE._replace(kind="cover", puzzle=puzzle, size=2, clues=None, solution="1")
    best = found._replace(score=-5, bound=-5, solutions=None)
    for options in (Options(), Options(set_cover=True, at_most=3)):
        assert judge_solution(best, given, options) == (verdict, why)

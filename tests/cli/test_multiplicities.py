"""Items that are covered between so many and so many times, from files to answers."""

import json

import pytest

from cli.verify.verdict import Verdict, judge_solution
from tests.cli.answers import UNIQUE
from tests.cli.conftest import ROOT, Bullseye
from worker.options import Options

HELPERS = ROOT / "examples" / "helpers.dlx"
#: item A once, item B two or three times, colours of X must agree
PROBLEM = {
    "items": 2,
    "secondary": 1,
    "options": [[1, 2], [2, 3], [2, 3], [2], [2], [2, 3]],
    "colours": [[], [[3, "red"]], [[3, "red"]], [], [], [[3, "blue"]]],
    "names": ["A", "B", "X"],
    "multiplicities": [[1, 1], [2, 3]],
}


def test_the_cheapest_cover_of_the_example_is_found(bullseye: Bullseye) -> None:
    best = json.loads(bullseye("solve", "--target", "-f", "jsonl", HELPERS).out)
    named = {name: best[name] for name in ("solution", "score", "bound", "complete")}
    assert named == {"solution": "1 6 8 10 15", "score": -39, "bound": -39, "complete": 1}
    assert json.loads(best["puzzle"])["multiplicities"] == [[2, 3]] * 5 + [[3, 3], [0, 2]]


def test_a_dry_run_names_multiplicities(bullseye: Bullseye) -> None:
    assert "dlx, exact cover, with multiplicities, 1 puzzle" in bullseye("solve", "-n", HELPERS).out


@pytest.mark.parametrize(
    ("given", "verdict", "why"),
    [
        ("1 2", Verdict.OTHER, ""),
        ("1 2 3", Verdict.OTHER, ""),
        ("1 4 5", Verdict.OTHER, ""),
        ("1", Verdict.WRONG, "item B is covered 1 time, not 2 to 3"),
        ("1 2 4 5", Verdict.WRONG, "item B is covered 4 times, not 2 to 3"),
        ("2 4", Verdict.WRONG, "item A is not covered"),
        ("1 2 6", Verdict.WRONG, "item X is covered twice"),
        ("1 4 4", Verdict.WRONG, "option 4 occurs twice"),
        ("1 7", Verdict.WRONG, "there is no option 7"),
    ],
)
def test_a_given_cover_is_compared_with_the_multiplicities_and_colours(
    given: str, verdict: Verdict, why: str
) -> None:
    found = UNIQUE._replace(
        kind="cover", puzzle=json.dumps(PROBLEM), size=3, clues=None, solution="1 4", solutions=2
    )
    assert judge_solution(found._replace(complete=0), given, Options()) == (verdict, why)


def test_a_problem_with_multiplicities_is_no_set_cover(bullseye: Bullseye) -> None:
    result = bullseye("solve", "--set-cover", HELPERS)
    assert (result.code, result.out) == (2, "")
    words = "--set-cover cannot be used for a problem with multiplicities"
    assert f"helpers.dlx line 3: {words}" in result.err


def test_a_problem_with_multiplicities_is_not_estimated(bullseye: Bullseye) -> None:
    result = bullseye("estimate", HELPERS)
    assert result.code == 1
    assert "this problem has multiplicities" in result.out

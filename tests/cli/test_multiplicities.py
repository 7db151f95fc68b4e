"""Items that are covered between so many and so many times, from files to answers."""

import json
from pathlib import Path

from tests.cli.conftest import ROOT, Bullseye

HELPERS = ROOT / "examples" / "helpers.dlx"
AUCTION = ROOT / "examples" / "auction.dlx"


def test_the_cheapest_cover_of_the_example_is_found(bullseye: Bullseye) -> None:
    best = json.loads(bullseye("solve", "--target", "-f", "jsonl", HELPERS).out)
    named = {name: best[name] for name in ("solution", "score", "bound", "complete")}
    assert named == {"solution": "1 6 8 10 15", "score": -39, "bound": -39, "complete": 1}
    assert json.loads(best["puzzle"])["multiplicities"] == [[2, 3]] * 5 + [[3, 3], [0, 2]]


def test_the_highest_revenue_of_an_auction_is_found(bullseye: Bullseye) -> None:
    best = json.loads(bullseye("solve", "--target", "-f", "jsonl", AUCTION).out)
    named = {name: best[name] for name in ("solution", "score", "bound", "complete")}
    assert named == {"solution": "6 7", "score": 32, "bound": 32, "complete": 1}


def test_a_problem_with_negative_costs_is_no_set_cover(bullseye: Bullseye, tmp_path: Path) -> None:
    file = tmp_path / "profits.dlx"
    file.write_text("a b\na |-3\nb |2\n")
    result = bullseye("solve", "--set-cover", file)
    assert (result.code, result.out) == (2, "")
    assert "line 1: --set-cover cannot be used for a problem with negative costs" in result.err


def test_a_dry_run_names_multiplicities(bullseye: Bullseye) -> None:
    assert "dlx, exact cover, with multiplicities, 1 puzzle" in bullseye("solve", "-n", HELPERS).out


def test_a_problem_with_multiplicities_is_no_set_cover(bullseye: Bullseye) -> None:
    result = bullseye("solve", "--set-cover", HELPERS)
    assert (result.code, result.out) == (2, "")
    words = "--set-cover cannot be used for a problem with multiplicities"
    assert f"helpers.dlx line 3: {words}" in result.err


def test_a_problem_with_multiplicities_is_not_estimated(bullseye: Bullseye) -> None:
    result = bullseye("estimate", HELPERS)
    assert result.code == 1
    assert "no estimate is known where items may be covered several times" in result.out

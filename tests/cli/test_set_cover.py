"""Set covers: `--set-cover`, `--at-most`, and problems that are marked as set covers."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import EASY, ROOT, Bullseye

STATIONS = ROOT / "examples" / "stations.dlx"
FLIGHTS = ROOT / "examples" / "crew.dlx"


def test_a_marked_problem_is_solved_as_a_set_cover(bullseye: Bullseye) -> None:
    result = bullseye("solve", STATIONS)
    assert (result.code, result.err.split(" · ")[1:3]) == (
        0,
        ["1 solved (1 proven optimal)", "best -18"],
    )
    answer = json.loads(result.out)
    named = {name: answer[name] for name in ("kind", "score", "bound", "complete", "solutions")}
    assert named == {"kind": "cover", "score": -18, "bound": -18, "complete": 1, "solutions": None}
    shown = bullseye("show", 1).out
    assert "score -18 (cost 18) · optimal\n" in shown
    assert bullseye("estimate", STATIONS).code == 1


def test_set_cover_finds_the_best_and_at_most_any(bullseye: Bullseye) -> None:
    best = json.loads(bullseye("solve", "--set-cover", "--keep", 2, FLIGHTS).out)
    assert (best["score"], best["status"]) == (-23, "solved")
    fit = json.loads(bullseye("solve", "--set-cover", "--at-most", 23, FLIGHTS).out)
    assert (fit["score"], fit["status"], fit["solutions"]) == (None, "solved", 1)
    none = json.loads(bullseye("solve", "--set-cover", "--at-most", 22, FLIGHTS).out)
    assert (none["status"], none["solutions"], none["complete"]) == ("none", 0, 1)
    assert bullseye("show", 1).code == 0


def test_a_dry_run_says_that_covers_may_overlap(bullseye: Bullseye) -> None:
    assert bullseye("solve", "-n", STATIONS).out.endswith(", read as set cover\n")
    assert bullseye("solve", "-n", "--set-cover", FLIGHTS).out.endswith(", read as set cover\n")


def test_verify_lets_covers_overlap(bullseye: Bullseye, home: Path) -> None:
    written = json.loads(bullseye("solve", "-f", "jsonl", STATIONS).out)
    puzzle = json.loads(written["puzzle"])
    given = (written["solution"], "3 4 7 8", "1 2", "1 3 4")
    lines = [json.dumps({**puzzle, "solution": solution}) for solution in given]
    (home / "given.jsonl").write_text("\n".join(lines))
    result = bullseye("solve", "--verify", "given.jsonl")
    assert result.code == 1
    _, *listed, report = result.err.splitlines()
    assert report == "verified: 1 of 4 given solutions agree · 3 wrong"
    assert [line.partition(" is wrong: ")[2].partition(" · ")[0] for line in listed] == [
        "its score is -20, the best is -18",
        "item Dijon is not covered",
        "its score is -19, the best is -18",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--at-most", "3", FLIGHTS], "--at-most needs --set-cover"),
        (["--set-cover", "--target", FLIGHTS], "--set-cover cannot be combined with --target"),
        (["--set-cover", "--count", FLIGHTS], "--set-cover cannot be combined with --count"),
        (["--set-cover", "--limit", "3", FLIGHTS], "--limit with --set-cover needs --at-most"),
        (["--set-cover", "--at-most", "-1", FLIGHTS], "'--at-most'"),
        (["--set-cover", EASY], "--set-cover needs cover problems, not grids"),
    ],
)
@pytest.mark.parametrize("command", ["solve", "submit"])
def test_options_that_do_not_suit_set_covers_are_usage_errors(
    bullseye: Bullseye, redis_url: str, command: str, arguments: list[str], words: str
) -> None:
    redis = ["--redis", redis_url] if command == "submit" else []
    result = bullseye(command, *arguments, *redis)
    assert (result.code, result.out) == (2, "")
    assert words in result.err


def test_a_unique_solution_cannot_be_expected_of_the_best_cover(bullseye: Bullseye) -> None:
    result = bullseye("solve", "--expect", "unique", "--set-cover", FLIGHTS)
    assert (result.code, result.out) == (2, "")
    assert "cannot be combined with --set-cover" in result.err

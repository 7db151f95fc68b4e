"""Cover problems whose options have costs: `--target` finds the cheapest cover."""

import json
from pathlib import Path

import pytest

from tests.cli.answers import TARGET
from tests.cli.conftest import ROOT, Bullseye, Database

CREW = ROOT / "examples" / "crew.dlx"


def test_target_finds_the_cheapest_covers(bullseye: Bullseye) -> None:
    result = bullseye("solve", "--target", "--keep", 3, CREW)
    assert (result.code, result.err.split(" · ")[1:3]) == (
        0,
        ["1 solved (1 proven optimal)", "best -23"],
    )
    answer = json.loads(result.out)
    found = {name: answer[name] for name in ("kind", "score", "bound", "complete", "solutions")}
    assert found == {"kind": "cover", "score": -23, "bound": -23, "complete": 1, "solutions": None}
    assert answer["solution"] == "3 6 9 11"
    shown = bullseye("show", 1).out
    assert "score -23 (cost 23) · optimal\n" in shown
    assert "1. cost 23\noption  cost  items\n     3     5  CDG MAD\n" in shown
    assert shown.index("1. cost 23") < shown.index("2. cost 24") < shown.index("3. cost 24")
    grid = bullseye("results", "-f", "grid").out
    assert grid == "# 1 · solved · score -23\n3 6 9 11\n\n"
    assert "best score -23" in bullseye("stats", 1).out
    assert bullseye("results", "-f", "judge", 1).out == "-23\n"
    assert bullseye("solve", "--target", "--every", "-f", "lines", CREW).out == "3 6 9 11\n"
    best = bullseye("results", "--sort", "-score", "--min-score", "-23", "-f", "jsonl").out
    assert [json.loads(line)["solutions"] for line in best.splitlines()] == [None, 4]


def test_answers_written_as_jsonl_are_solved_again_with_their_costs(
    bullseye: Bullseye, home: Path
) -> None:
    written = bullseye("solve", "-f", "jsonl", CREW).out
    assert json.loads(written)["score"] is None
    (home / "again.jsonl").write_text(written)
    assert bullseye("solve", "--target", "-f", "judge", "again.jsonl").out == "-23\n"
    assert "cost" not in bullseye("show", 1).out.partition("\n")[2]


def test_a_dry_run_describes_how_costs_are_used(bullseye: Bullseye) -> None:
    result = bullseye("solve", "-n", CREW).out
    assert result == (
        f"{CREW}: dlx, exact cover, 1 puzzle, 0 invalid lines, "
        "with costs (ignored without --target)\n"
    )
    result = bullseye("solve", "-n", "--target", CREW).out
    assert result.endswith("with costs (searched for the lowest)\n")
    assert "costs" not in bullseye("solve", "-n", ROOT / "examples" / "cover.dlx").out


@pytest.mark.parametrize("search", [[], ["--target"], ["--count"], ["--limit", "all"]])
def test_every_search_takes_a_memory_limit(bullseye: Bullseye, search: list[str]) -> None:
    assert bullseye("solve", "-n", "--memory", "100M", *search, CREW).code == 0


@pytest.mark.parametrize("command", ["solve", "submit"])
@pytest.mark.parametrize("more", [[], ["-n"], ["--skip-bad"]])
def test_target_rejects_a_cover_problem_without_costs(
    bullseye: Bullseye, home: Path, redis_url: str, command: str, more: list[str]
) -> None:
    redis = ["--redis", redis_url] if command == "submit" else []
    (home / "cover.dlx").write_text("| four\nA B C D\nA B\nC D\n")
    result = bullseye(command, "--target", "cover.dlx", *more, *redis)
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "error: cover.dlx line 2: --target needs grids or cover problems with costs; "
        "the options of this one have none\n"
    )
    assert not (home / "bullseye.db").exists() or bullseye("results").out == ""


def test_target_rejects_a_file_with_one_cover_without_costs(bullseye: Bullseye, home: Path) -> None:
    cover = {"items": 1, "options": [[1]]}
    lines = [{**cover, "costs": [1]}, {"puzzle": "." * 81}, cover]
    (home / "some.jsonl").write_text("\n".join(map(json.dumps, lines)))
    result = bullseye("solve", "-n", "--target", "some.jsonl")
    assert (result.code, result.err.split(": ")[1]) == (2, "some.jsonl line 3")
    assert bullseye("solve", "-n", "some.jsonl").code == 0


@pytest.mark.attack
def test_a_cover_problem_without_options_has_costs_if_it_says_so_and_no_cover(
    bullseye: Bullseye, home: Path
) -> None:
    lines = [
        '{"items": 1, "options": [], "costs": []}',
        '{"items": 1, "options": [[1]], "costs": [3]}',
    ]
    (home / "some.jsonl").write_text("\n".join(lines))
    result = bullseye("solve", "--target", "--template", "{status} {score}", "some.jsonl")
    assert (result.code, result.out) == (0, "none \nsolved -3\n")


def test_weights_are_rejected_for_covers(bullseye: Bullseye, home: Path) -> None:
    (home / "weights.txt").write_text("1 2 3 4\n" * 4)
    result = bullseye("solve", "--target", "--weights", "weights.txt", CREW)
    assert result.code == 2
    assert result.err == (
        f"error: {CREW} line 2: --weights applies to grids; the options of a cover have costs\n"
    )


def test_a_cover_of_9_items_is_not_scored_by_rings(bullseye: Bullseye, database: Database) -> None:
    options = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    puzzle = json.dumps({"items": 9, "secondary": 0, "options": options, "costs": [4, 5, 1000]})
    best = TARGET._replace(
        kind="cover", clues=None, puzzle=puzzle, solution="1 2 3", score=-1009, bound=-1009
    )
    batch = database.store([best], kind="cover", target=True)
    shown = bullseye("show", 1).out
    assert "score -1009 (cost 1,009) · optimal\n" in shown
    assert shown.endswith("     3  1,000  7 8 9\n")
    assert "average" not in shown
    page = bullseye("stats", batch, "--html", "-").out
    assert "-1009" in page
    assert "2850" not in page
    assert 'class="heat"' not in page


def test_an_unproven_cost_has_a_bound(bullseye: Bullseye, database: Database) -> None:
    puzzle = json.dumps({"items": 1, "secondary": 0, "options": [[1], [1]], "costs": [4, 5]})
    late = TARGET._replace(
        kind="cover", size=1, clues=None, puzzle=puzzle, status="timeout", complete=0,
        solutions=None, solution="2", score=-5, bound=-4,
    )  # fmt: skip
    database.store([late], kind="cover", target=True)
    assert "score -5 (cost 5) · best so far, at most -4\n" in bullseye("show", 1).out

"""`bullseye estimate`: tables, JSON, options and exit codes."""

import json
from pathlib import Path
from typing import Any

from tests.benchmarks.covers import written
from tests.cli.conftest import ROOT, Bullseye
from tests.worker.exact_cover.problems import langford, partition, queens
from worker.exact_cover.problem import Problem

EMPTY = "." * 81
#: Felgenhauer and Jarvis, 2005
SUDOKU_GRIDS = 6_670_903_752_021_072_936_960
#: sequence A014552 of the OEIS counts each pair of mirror images once
LANGFORD_15 = 2 * 39_809_640


def costed(problem: Problem) -> str:
    return json.dumps({**json.loads(written(problem)), "costs": problem.cost.tolist()})


def objects(text: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(text)
    return found


def test_a_short_search_is_reported_exactly(bullseye: Bullseye) -> None:
    result = bullseye("estimate", "--limit", "all", ROOT / "examples" / "queens.dlx")
    assert result.code == 0
    header, row = result.out.splitlines()
    assert header.split("  ")[0] == "puzzle"
    assert row.split()[-1] == "4"
    assert "–" not in row
    (found,) = objects(
        bullseye("estimate", "--limit", "all", "--json", ROOT / "examples" / "queens.dlx").out
    )
    assert found["exact"]
    assert found["solutions"] == {"low": 4, "likely": 4, "high": 4}


def test_the_number_of_all_sudokus_is_within_its_range(bullseye: Bullseye) -> None:
    (found,) = objects(bullseye("estimate", "--limit", "all", "--json", EMPTY).out)
    solutions = found["solutions"]
    assert not found["exact"]
    assert solutions["low"] < SUDOKU_GRIDS < solutions["high"] < 1.3 * solutions["low"]


def test_equal_seeds_give_equal_nodes_and_processes_divide_the_time(
    bullseye: Bullseye, home: Path
) -> None:
    file = home / "langford.jsonl"
    file.write_text(written(langford(15)) + "\n")
    arguments = ["estimate", "--limit", "all", "--json", file]
    (one,) = objects(bullseye(*arguments).out)
    (same,) = objects(bullseye(*arguments, "-j", 100, "--seed", 0).out)
    (other,) = objects(bullseye(*arguments, "--seed", 1).out)
    assert one["nodes"] == same["nodes"] != other["nodes"]
    assert one["solutions"]["low"] < LANGFORD_15 < one["solutions"]["high"]
    assert same["seconds"]["likely"] < one["seconds"]["likely"] / 10


def test_a_search_with_a_limit_ends_early(bullseye: Bullseye, home: Path) -> None:
    file = home / "queens.jsonl"
    file.write_text(f"{written(queens(16))}\n")
    (found,) = objects(bullseye("estimate", "--limit", "2", "--json", file).out)
    assert found["exact"]
    assert found["solutions"]["likely"] == 2
    result = bullseye("estimate", "--limit", "1000000", file)
    assert "stops at 1,000,000 solutions" in result.out


def test_several_puzzles_have_labels_and_a_sum(bullseye: Bullseye) -> None:
    result = bullseye("estimate", "--target", ROOT / "examples" / "target.txt")
    lines = result.out.splitlines()
    assert result.code == 0
    assert lines[0].split()[:2] == ["puzzle", "label"]
    assert len(lines) == 12
    assert lines[-1].split()[0] == "total"


def test_a_search_for_the_best_says_what_its_range_is_for(bullseye: Bullseye, home: Path) -> None:
    file = home / "partition.jsonl"
    file.write_text(costed(partition(80, 1000, seed=0)) + "\n")
    result = bullseye("estimate", "--target", file)
    assert result.code == 0
    assert "a proof that nothing exceeds the best score found so far" in result.out


def test_a_line_that_is_no_puzzle_is_an_error(bullseye: Bullseye, home: Path) -> None:
    file = home / "puzzles.txt"
    file.write_text(f"{EMPTY[1:]}1\n9876\n{EMPTY[1:]}2\n")
    result = bullseye("estimate", file)
    assert result.code == 65
    assert "bullseye estimate --dry-run" in result.err
    result = bullseye("estimate", "--skip-bad", file)
    assert result.code == 1
    assert "invalid: " in result.out.splitlines()[2]
    found = objects(bullseye("estimate", "--skip-bad", "--json", file).out)
    assert [set(one) == {"position", "label", "error"} for one in found] == [False, True, False]


def test_nothing_is_stored(bullseye: Bullseye, home: Path) -> None:
    bullseye("estimate", EMPTY)
    assert not (home / "bullseye.db").exists()
    assert bullseye("estimate", "--dry-run", EMPTY).out.startswith("command line: lines, 9x9")

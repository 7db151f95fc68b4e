"""`--count`: how many solutions there are, one of them, and how many have each option."""

import json

from tests.cli.conftest import ROOT, Bullseye

DOMINOES = ROOT / "examples" / "dominoes.dlx"


def test_count_finds_a_number_of_solutions_that_could_not_be_visited(bullseye: Bullseye) -> None:
    result = bullseye("solve", "--count", "--memory", "100M", DOMINOES)
    assert result.code == 0
    answer = json.loads(result.out)
    found = {name: answer[name] for name in ("status", "solutions", "complete", "detail")}
    assert found == {
        "status": "solved",
        "solutions": 53_060_477_521_960_000,
        "complete": 1,
        "detail": None,
    }
    assert len(answer["solution"].split()) == 72
    assert "53,060,477,521,960,000 solutions in total" in bullseye("show", 1).out


def test_the_solutions_with_each_option_are_stored_and_queried(bullseye: Bullseye) -> None:
    result = bullseye("solve", "--count", "--per-option", DOMINOES)
    answer = json.loads(result.out)
    total, counts = answer["solutions"], answer["option_counts"]
    assert sum(counts) == 72 * total
    assert json.loads(bullseye("results", "-f", "jsonl").out)["option_counts"] == counts
    rows = "SELECT sum(value) FROM answers, json_each(option_counts)"
    assert bullseye("query", rows, "-f", "csv").out.split() == ["sum(value)", str(72 * total)]
    assert bullseye("solve", "--count", "--per-option", "--reuse", DOMINOES).code == 0
    again = json.loads(bullseye("results", "last", "-f", "jsonl").out)
    assert (again["detail"], again["option_counts"]) == ("as puzzle 1", counts)

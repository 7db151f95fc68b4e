"""`--count`: how many solutions there are, and one of them."""

import json

from tests.cli.conftest import ROOT, Bullseye, run_process

DOMINOES = ROOT / "examples" / "dominoes.dlx"


def test_count_finds_a_number_of_solutions_that_could_not_be_visited(bullseye: Bullseye) -> None:
    result = run_process("solve", "--count", "--memory", "100M", DOMINOES)
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

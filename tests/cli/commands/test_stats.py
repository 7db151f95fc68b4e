"""What `bullseye stats` tells."""

import json

from tests.cli.answers import NONE, TARGET, UNIQUE
from tests.cli.conftest import Bullseye, Filled


def test_it_tells_counts_percentiles_histogram_and_the_slowest(
    bullseye: Bullseye, filled: Filled
) -> None:
    batch = filled.store(
        [UNIQUE._replace(ms=float(ms)) for ms in range(1, 100)] + [NONE._replace(ms=1000.0)]
    )
    said = bullseye("stats", batch)
    assert said.code == 0
    assert f"batch {batch} · 99 solved · 1 none\n5.95 s of solving" in said.out
    assert "p50 50.0   p90 90.0   p99 99.0   max 1,000" in said.out
    assert "slowest  #100 1,000 ms · #99 99.0 ms · #98 98.0 ms" in said.out
    assert "worker  puzzles  solving  mean ms\nbox-1       100   5.95 s     59.5\n" in said.out
    assert max(map(len, said.out.splitlines())) <= 80


def test_bars_are_in_proportion_and_nothing_is_no_bar(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([UNIQUE._replace(ms=1.0)] * 40 + [UNIQUE._replace(ms=4.0)] * 10)
    lines = [line.split() for line in bullseye("stats").out.splitlines()]
    bars = {line[0]: line[1:] for line in lines if line and line[0] in {"1.00", "2.00", "4.00"}}
    assert bars == {"1.00": ["█" * 40, "40"], "2.00": [], "4.00": ["█" * 10, "10"]}


def test_a_few_among_many_can_still_be_seen(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([UNIQUE._replace(ms=1.0)] * 1000 + [UNIQUE._replace(ms=4.0)])
    assert "4.00  ▏ 1\n" in bullseye("stats").out


def test_the_best_score_is_told(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([TARGET, TARGET._replace(score=2852)])
    assert "best score 2870" in bullseye("stats").out


def test_nothing_answered_is_nothing_to_tell(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store([], waiting=3)
    assert bullseye("stats", batch).out == f"batch {batch} · no answers yet\n"


def test_json_has_numbers(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([UNIQUE._replace(ms=2.5), NONE])
    told = json.loads(bullseye("stats", "--json").out)
    assert told["by_status"] == {"solved": 1, "none": 1}
    assert told["max_ms"] == 2.5
    assert told["slowest"][0] == {"id": 1, "ms": 2.5}
    assert set(told["percentiles"]) == {"p50", "p90", "p99"}


def test_two_batches_stand_beside_each_other(bullseye: Bullseye, filled: Filled) -> None:
    slow = filled.store([UNIQUE._replace(ms=4.0)] * 4)
    fast = filled.store([UNIQUE._replace(ms=1.0)] * 3 + [TARGET._replace(ms=1.0)])
    said = bullseye("stats", fast, "--against", slow)
    assert said.code == 0
    lines = [line.split() for line in said.out.splitlines()]
    assert lines[0] == ["batch", str(fast), "batch", str(slow), "ratio"]
    assert ["solved", "4", "4"] in lines
    assert ["best", "score", "2,870", "–"] in lines
    assert ["ms", "p50", "1.00", "4.00", "0.25"] in lines
    assert ["ms", "mean", "1.00", "4.00", "0.25"] in lines
    assert not [line for line in lines if line[0] == "failed"]


def test_both_are_in_the_json(bullseye: Bullseye, filled: Filled) -> None:
    first, second = filled.store([UNIQUE]), filled.store([NONE])
    told = json.loads(bullseye("stats", second, "--against", first, "--json").out)
    assert told["by_status"] == {"none": 1}
    assert told["against"]["by_status"] == {"solved": 1}


def test_one_batch_cannot_be_compared(bullseye: Bullseye) -> None:
    said = bullseye("stats", "--against", 1)
    assert said.code == 2
    assert "--against compares two batches" in said.err

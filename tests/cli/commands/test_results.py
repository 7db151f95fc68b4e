"""Picking and writing answers of a real database."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.output.row import COLUMNS
from tests.cli.answers import BEST, INVALID, MULTIPLE, NONE, PUZZLE, TARGET, TIMEOUT, UNIQUE
from tests.cli.conftest import ROOT, Bullseye, Filled, spawned
from worker.formats.source import open_source

ANSWERS = (UNIQUE, MULTIPLE, NONE, TIMEOUT, INVALID)


def layout(text: str) -> dict[str, object]:
    path = Path("input")
    path.write_text(text)
    with open_source(str(path)) as source:
        return source.layout.to_json()


def test_a_pipe_gets_jsonl_in_the_order_of_the_input(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store(ANSWERS)
    said = bullseye("results", batch)
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert said.code == 0
    assert [line["status"] for line in lines] == [answer.status for answer in ANSWERS]
    assert [line["position"] for line in lines] == [1, 2, 3, 4, 5]
    assert lines[0]["solution"] == BEST
    assert said.err == ""


def test_without_a_batch_all_batches_are_there(bullseye: Bullseye, filled: Filled) -> None:
    first, second = filled.store([UNIQUE]), filled.store([NONE, NONE])
    lines = [json.loads(line) for line in bullseye("results").out.splitlines()]
    assert [line["batch"] for line in lines] == [first, second, second]


@pytest.mark.parametrize(
    ("arguments", "positions"),
    [
        (["--status", "unique"], [1]),
        (["--status", "multiple"], [2]),
        (["--status", "solved"], [1, 2]),
        (["--status", "none", "--status", "invalid"], [3, 5]),
        (["--where", "clues = 30 and solutions = 2"], [2]),
        (["--sort", "-position"], [5, 4, 3, 2, 1]),
        (["--first", "2"], [1, 2]),
        (["--first", "0"], []),
        (["--min-score", "1"], []),
    ],
)
def test_answers_are_picked_and_sorted(
    bullseye: Bullseye, filled: Filled, arguments: list[str], positions: list[int]
) -> None:
    batch = filled.store(ANSWERS)
    said = bullseye("results", batch, *arguments)
    assert said.code == 0
    assert [json.loads(line)["position"] for line in said.out.splitlines()] == positions


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--where", "nonsense = 1"], "nonsense"),
        (["--where", "1; drop table answer"], "semicolon"),
        (["--sort", "nonsense"], "nonsense"),
    ],
)
@pytest.mark.parametrize("output", [[], ["-f", "csv"], ["-o", "out.csv"]])
def test_a_query_that_is_not_understood_writes_nothing(
    bullseye: Bullseye, filled: Filled, arguments: list[str], words: str, output: list[str]
) -> None:
    filled.store(ANSWERS)
    said = bullseye("results", *arguments, *output)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("error: ")
    assert words in said.err
    assert not Path("out.csv").exists()


def test_csv_goes_into_a_file_by_its_name(bullseye: Bullseye, filled: Filled) -> None:
    filled.store(ANSWERS)
    said = bullseye("results", "-o", "out.csv")
    assert (said.code, said.out) == (0, "")
    lines = list(csv.DictReader(io.StringIO(Path("out.csv").read_text())))
    assert len(lines) == len(ANSWERS)
    assert tuple(lines[0]) == COLUMNS


@pytest.mark.parametrize(
    ("output_format", "nothing"),
    [("csv", ",".join(COLUMNS) + "\n"), ("jsonl", ""), ("lines", ""), ("table", "")],
)
def test_no_answers_are_no_error(
    bullseye: Bullseye, filled: Filled, output_format: str, nothing: str
) -> None:
    assert filled.path.exists()
    said = bullseye("results", "-f", output_format)
    assert (said.code, said.out, said.err) == (0, nothing, "")


def test_a_batch_that_is_not_there_is_a_usage_error(bullseye: Bullseye, filled: Filled) -> None:
    assert filled.path.exists()
    said = bullseye("results", 7)
    assert said.code == 2
    assert said.err == "error: there is no batch 7: see bullseye status\n"


@pytest.mark.parametrize("command", ["results", "stats", "status", "show 1", "cancel 1"])
def test_without_a_database_it_says_how_to_get_one(
    bullseye: Bullseye, home: Path, command: str
) -> None:
    said = bullseye(*command.split())
    assert (said.code, said.out) == (69, "")
    assert said.err == (
        f"error: no database at {home / 'bullseye.db'} yet: solve or submit something first\n"
    )
    assert not (home / "bullseye.db").exists()


def test_a_file_that_is_no_database_is_named(bullseye: Bullseye, home: Path) -> None:
    (home / "other.txt").write_text("nothing that SQLite knows\n" * 100)
    said = bullseye("results", "--db", "other.txt")
    assert said.code == 69
    assert "other.txt is not an SQLite database" in said.err


def test_a_judge_gets_the_whole_batch(bullseye: Bullseye, filled: Filled) -> None:
    inputs = [{"name": "a", "first": 1, "count": 2, "layout": layout(f"{PUZZLE}\n{PUZZLE}\nend\n")}]
    batch = filled.store([UNIQUE, NONE], inputs=inputs)
    assert bullseye("results", batch, "-f", "judge").out == f"{BEST}\n-1\n"


def test_the_only_batch_needs_no_number_for_a_judge(bullseye: Bullseye, filled: Filled) -> None:
    inputs = [{"name": "a", "first": 1, "count": 1, "layout": layout(f"{PUZZLE}\n")}]
    filled.store([TARGET], inputs=inputs, kind="target", target=True)
    assert bullseye("results", "-f", "judge").out == "2870\n"
    filled.store([TARGET], inputs=inputs, kind="target", target=True)
    said = bullseye("results", "-f", "judge")
    assert said.code == 2
    assert "say which" in said.err


def test_a_judge_waits_for_all_answers(bullseye: Bullseye, filled: Filled) -> None:
    batch = filled.store([UNIQUE], waiting=2)
    said = bullseye("results", batch, "-f", "judge")
    assert (said.code, said.out) == (1, "")
    assert f"batch {batch} has 1 of 3: follow it with bullseye status -w {batch}" in said.err


def test_a_closed_pipe_is_left_without_words(filled: Filled) -> None:
    filled.store([UNIQUE] * 5000)
    with spawned("results") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith('{"id"')
        process.stdout.close()
        assert process.wait(30) == 141
        assert process.stderr.read() == ""


def test_a_shell_may_close_stdout(filled: Filled) -> None:
    filled.store([UNIQUE])
    closed = subprocess.run(
        ["/bin/sh", "-c", '"$1" -m cli.main results >&-', "sh", sys.executable],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (closed.returncode, closed.stderr) == (0, "")

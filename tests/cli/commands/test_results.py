"""`bullseye results` on a real database."""

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from storage.view import COLUMNS
from tests.cli.answers import BEST, INVALID, MULTIPLE, NONE, PUZZLE, TARGET, TIMEOUT, UNIQUE
from tests.cli.conftest import Bullseye, Database, start_process
from tests.cli.terminal import run_in_terminal
from worker.formats.source import open_source

ANSWERS = (UNIQUE, MULTIPLE, NONE, TIMEOUT, INVALID)


def layout(text: str) -> dict[str, object]:
    path = Path("input")
    path.write_text(text)
    with open_source(str(path)) as source:
        return asdict(source.layout)


def test_a_pipe_gets_jsonl_in_input_order(bullseye: Bullseye, database: Database) -> None:
    batch = database.store(ANSWERS)
    result = bullseye("results", batch)
    lines = [json.loads(line) for line in result.out.splitlines()]
    assert result.code == 0
    assert [line["status"] for line in lines] == [answer.status for answer in ANSWERS]
    assert [line["position"] for line in lines] == [1, 2, 3, 4, 5]
    assert lines[0]["solution"] == BEST
    assert result.err == ""


def test_without_a_batch_all_batches_are_exported(bullseye: Bullseye, database: Database) -> None:
    first, second = database.store([UNIQUE]), database.store([NONE, NONE])
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
        (["--sort", "status", "--sort", "-position"], [5, 3, 2, 1, 4]),
        (["--first", "2"], [1, 2]),
        (["--offset", "3"], [4, 5]),
        (["--first", "2", "--offset", "1"], [2, 3]),
        (["--first", "0"], []),
        (["--min-score", "1"], []),
    ],
)
def test_answers_are_filtered_and_sorted(
    bullseye: Bullseye, database: Database, arguments: list[str], positions: list[int]
) -> None:
    batch = database.store(ANSWERS)
    result = bullseye("results", batch, *arguments)
    assert result.code == 0
    assert [json.loads(line)["position"] for line in result.out.splitlines()] == positions


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--where", "nonsense = 1"], "nonsense"),
        (["--where", "1; drop table answer"], "is not valid"),
        (["--sort", "nonsense"], "nonsense"),
    ],
)
@pytest.mark.parametrize("output", [[], ["-f", "csv"], ["-o", "out.csv"]])
def test_an_invalid_query_writes_nothing(
    bullseye: Bullseye, database: Database, arguments: list[str], words: str, output: list[str]
) -> None:
    database.store(ANSWERS)
    result = bullseye("results", *arguments, *output)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: ")
    assert words in result.err
    assert not Path("out.csv").exists()


def test_columns_selects_columns_in_the_given_order(bullseye: Bullseye, database: Database) -> None:
    database.store(ANSWERS[:2], name="sunday")
    names = ["--columns", "batch_name, status,id"]
    assert bullseye("results", *names).out.splitlines()[0] == (
        '{"batch_name": "sunday", "status": "solved", "id": 1}'
    )
    assert bullseye("results", *names, "-f", "csv").out.splitlines()[1] == "sunday,solved,1"
    assert bullseye("results", *names, "-f", "table").out == (
        "batch_name  status  id\nsunday      solved   1\nsunday      solved   2\n"
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--columns", "id,speed"], "there is no column 'speed'; the columns are id, batch, "),
        (["--columns", "id", "-f", "lines"], "--columns works with -f table, csv, "),
        (["--columns", "id", "--template", "{id}"], "--columns works with -f table, csv, "),
        (["--count", "--first", "3"], "--count prints one number"),
        (["--count", "-f", "csv"], "--count prints one number"),
        (["--count", "-o", "n.csv"], "--count prints one number"),
    ],
)
def test_options_that_do_not_suit_each_other_are_rejected(
    bullseye: Bullseye, database: Database, arguments: list[str], words: str
) -> None:
    result = bullseye("results", *arguments)
    assert (result.code, result.out) == (2, "")
    assert words in result.err


def test_count_prints_the_number_of_matching_answers(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store(ANSWERS)
    database.store(ANSWERS)
    assert bullseye("results", "--count") == (0, "10\n", "")
    assert bullseye("results", batch, "--status", "solved", "--count") == (0, "2\n", "")
    assert bullseye("results", "--where", "nonsense", "--count").code == 2


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (["1"], ""),
        (["1", "--status", "solved"], "2 of 5 answers\n"),
        (["--first", "3"], "3 of 5 answers\n"),
        (["1", "--where", "clues = 1"], "0 of 5 answers\n"),
        (["1", "--where", "clues = 1", "-f", "csv"], "0 of 5 answers\n"),
        (["2"], "batch 2 has no answers yet\n"),
        (["1", "-o", "out.csv", "--first", "2"], ""),
    ],
)
def test_a_terminal_shows_how_many_of_the_answers_are_listed(
    database: Database, arguments: list[str], note: str
) -> None:
    database.store(ANSWERS)
    database.store([], waiting=1)
    code, text = run_in_terminal("results", *arguments)
    assert code == 0
    assert text.endswith(note)
    assert ("answers" in text) == bool(note)


def test_the_suffix_csv_selects_the_format(bullseye: Bullseye, database: Database) -> None:
    database.store(ANSWERS)
    result = bullseye("results", "-o", "out.csv")
    assert (result.code, result.out) == (0, "")
    lines = list(csv.DictReader(io.StringIO(Path("out.csv").read_text())))
    assert len(lines) == len(ANSWERS)
    assert tuple(lines[0]) == COLUMNS


def test_an_unknown_ending_is_refused_before_anything_is_written(
    bullseye: Bullseye, database: Database, home: Path
) -> None:
    database.store(ANSWERS)
    for command in (["results"], ["solve", PUZZLE]):
        result = bullseye(*command, "-o", "out.xls")
        assert (result.code, result.out) == (2, "")
        assert "cannot tell the format of out.xls from its ending: use .csv, " in result.err
    assert not (home / "out.xls").exists()


@pytest.mark.parametrize(
    ("output_format", "nothing"),
    [("csv", ",".join(COLUMNS) + "\n"), ("jsonl", ""), ("lines", ""), ("table", "")],
)
def test_without_answers_the_output_is_empty_and_the_exit_code_0(
    bullseye: Bullseye, database: Database, output_format: str, nothing: str
) -> None:
    result = bullseye("results", "-f", output_format)
    assert (result.code, result.out, result.err) == (0, nothing, "")


@pytest.mark.parametrize("command", ["results", "stats", "status", "show 1", "cancel 1"])
def test_without_a_database_the_message_says_how_to_create_one(
    bullseye: Bullseye, home: Path, command: str
) -> None:
    result = bullseye(*command.split())
    assert (result.code, result.out) == (69, "")
    assert result.err == (
        f"error: no database at {home / 'bullseye.db'} yet: solve or submit something first\n"
    )
    assert not (home / "bullseye.db").exists()


def test_a_file_that_is_not_a_database_is_named(bullseye: Bullseye, home: Path) -> None:
    (home / "other.txt").write_text("nothing that SQLite knows\n" * 100)
    result = bullseye("results", "--db", "other.txt")
    assert result.code == 69
    assert "other.txt is not an SQLite database" in result.err


def test_judge_output_covers_the_whole_batch(bullseye: Bullseye, database: Database) -> None:
    inputs = [{"name": "a", "first": 1, "count": 2, "layout": layout(f"{PUZZLE}\n{PUZZLE}\nend\n")}]
    batch = database.store([UNIQUE, NONE], inputs=inputs)
    assert bullseye("results", batch, "-f", "judge").out == f"{BEST}\n-1\n"


def test_judge_output_of_the_only_batch_needs_no_number(
    bullseye: Bullseye, database: Database
) -> None:
    inputs = [{"name": "a", "first": 1, "count": 1, "layout": layout(f"{PUZZLE}\n")}]
    database.store([TARGET], inputs=inputs, kind="target", target=True)
    assert bullseye("results", "-f", "judge").out == "2870\n"
    database.store([TARGET], inputs=inputs, kind="target", target=True)
    result = bullseye("results", "-f", "judge")
    assert result.code == 2
    assert "needs a batch" in result.err


def test_judge_output_needs_all_answers(bullseye: Bullseye, database: Database) -> None:
    batch = database.store([UNIQUE], waiting=2)
    result = bullseye("results", batch, "-f", "judge")
    assert (result.code, result.out) == (1, "")
    assert f"batch {batch} has 1 of 3: follow it with bullseye status -w {batch}" in result.err


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("output_format", ["json", "jsonl"])
def test_a_closed_pipe_exits_with_141_and_no_message(
    database: Database, monkeypatch: pytest.MonkeyPatch, output_format: str, unbuffered: str
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    database.store([UNIQUE] * 5000)
    with start_process("results", "-f", output_format) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(30) == 141
        assert process.stderr.read() == ""

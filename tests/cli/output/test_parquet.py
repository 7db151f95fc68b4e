"""Answers written as Parquet and read back."""

import importlib.util
import io
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from cli.output.rows import write_parquet
from storage.view import COLUMNS, AnswerRow
from tests.cli.answers import ALL, COVER, TARGET
from tests.cli.conftest import ROOT, Bullseye, Database
from tests.cli.terminal import run_in_terminal

PYARROW = importlib.util.find_spec("pyarrow") is not None
needs_pyarrow = pytest.mark.skipif(
    not PYARROW and os.environ.get("CI") != "true", reason="pyarrow is not installed"
)


def read_table(data: bytes) -> Any:
    from pyarrow.parquet import ParquetFile  # noqa: PLC0415 # not everybody has it

    return ParquetFile(io.BytesIO(data))


def written(answers: list[AnswerRow]) -> bytes:
    data = io.BytesIO()
    out = io.TextIOWrapper(data)
    write_parquet(answers, out)
    assert not out.closed
    return data.getvalue()


def as_read(answer: AnswerRow) -> dict[str, object]:
    return {**answer.named(), "solved_at": datetime.fromisoformat(answer.solved_at)}


@needs_pyarrow
def test_every_answer_comes_back() -> None:
    answers = [*ALL, COVER._replace(label="Österreich, 'q' \"x\"\n")]
    table = read_table(written(answers)).read()
    assert table.column_names == list(COLUMNS)
    assert table.to_pylist() == [as_read(answer) for answer in answers]


@needs_pyarrow
def test_columns_have_their_types_even_without_values() -> None:
    for answers in ([], [TARGET._replace(score=None, detail=None, ms=None)]):
        schema = read_table(written(answers)).schema_arrow
        types = {name: str(schema.field(name).type) for name in COLUMNS}
        assert types["score"] == "int64"
        assert types["detail"] == "string"
        assert types["ms"] == "double"
        assert types["solved_at"] == "timestamp[ms, tz=UTC]"


@needs_pyarrow
def test_numbers_of_64_bits_are_not_rounded() -> None:
    answer = TARGET._replace(solutions=2**63 - 1, score=-(2**63), nodes=2**53 + 1)
    assert read_table(written([answer])).read().to_pylist() == [as_read(answer)]


@needs_pyarrow
def test_a_row_group_ends_at_its_limit_of_rows_or_bytes() -> None:
    some = [TARGET._replace(id=number) for number in range(1, 16_400)]
    by_rows = read_table(written(some))
    assert group_rows(by_rows) == [16_384, 15]
    assert by_rows.read().column("id").to_pylist() == list(range(1, 16_400))
    large = [TARGET._replace(id=number, puzzle="." * 10_000) for number in range(1, 5_000)]
    assert group_rows(read_table(written(large))) == [2048, 2048, 903]


def group_rows(file: Any) -> list[int]:
    return [file.metadata.row_group(at).num_rows for at in range(file.num_row_groups)]


@needs_pyarrow
def test_the_suffix_parquet_selects_the_format(
    bullseye: Bullseye, database: Database, home: Path
) -> None:
    database.store(ALL[:3])
    result = bullseye("results", "-o", "out.parquet")
    assert (result.code, result.out, result.err) == (0, "", "")
    (first, *_) = read_table((home / "out.parquet").read_bytes()).read().to_pylist()
    assert (first["status"], first["score"]) == ("solved", 2870)
    assert first["solved_at"].tzinfo is not None
    assert first["solved_at"] <= datetime.now(UTC)
    assert {path.suffix for path in home.iterdir()} <= {".parquet", ".db", ".db-wal", ".db-shm"}


@needs_pyarrow
def test_parquet_goes_to_a_pipe_which_may_close(database: Database) -> None:
    database.store(ALL[:3])
    command = [sys.executable, "-m", "cli.main", "results", "-f", "parquet"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    assert read_table(done.stdout).metadata.num_rows == 3
    assert done.stderr == b""
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen(command, cwd=ROOT, stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (141, b"")


@needs_pyarrow
def test_parquet_is_not_written_to_a_terminal(database: Database) -> None:
    code, text = run_in_terminal("results", "-f", "parquet")
    assert code == 2
    assert text == ("error: Parquet is a binary format; write it to a file with -o FILE.parquet\n")


@needs_pyarrow
def test_solve_writes_parquet(bullseye: Bullseye, home: Path) -> None:
    result = bullseye("solve", "12..34..2.4...21", "-o", "out.parquet")
    assert result.code == 0
    assert read_table((home / "out.parquet").read_bytes()).metadata.num_rows == 1


def test_without_pyarrow_the_message_names_the_extra(
    bullseye: Bullseye, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    missing = re.compile("pyarrow")
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if missing.match(name) else find(name)
    )
    for command in (["results", "-f", "parquet"], ["solve", "1" * 81, "-o", "a.parquet"]):
        result = bullseye(*command)
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            "error: Parquet output needs pyarrow: pip install 'bullseye[parquet]'\n"
        )
    assert not list(home.iterdir())

"""`bullseye query` on a real database."""

import io
import json
from pathlib import Path

import pytest

from tests.cli.answers import INVALID, NONE, UNIQUE
from tests.cli.conftest import Bullseye, Database
from tests.cli.terminal import run_in_terminal

BY_STATUS = "SELECT status, count(*) AS puzzles FROM answers GROUP BY status ORDER BY status"


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        ([], '{"status": "none", "puzzles": 2}\n{"status": "solved", "puzzles": 1}\n'),
        (["-f", "csv"], "status,puzzles\nnone,2\nsolved,1\n"),
        (["-f", "tsv"], "status\tpuzzles\nnone\t2\nsolved\t1\n"),
        (["-f", "table"], "status  puzzles\nnone          2\nsolved        1\n"),
        (["-f", "md"], "| status | puzzles |\n| --- | --- |\n| none | 2 |\n| solved | 1 |\n"),
    ],
)
def test_the_rows_are_printed_in_the_format(
    bullseye: Bullseye, database: Database, arguments: list[str], printed: str
) -> None:
    database.store([UNIQUE, NONE, NONE])
    assert bullseye("query", BY_STATUS, *arguments) == (0, printed, "")


def test_the_query_may_come_from_stdin_and_go_to_a_file(
    bullseye: Bullseye, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.store([UNIQUE, NONE, NONE])
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{BY_STATUS};\n"))
    assert bullseye("query", "-", "-o", "out.json") == (0, "", "")
    assert json.loads(Path("out.json").read_text())[0] == {"status": "none", "puzzles": 2}


def test_parquet_has_the_types_of_the_values(bullseye: Bullseye, database: Database) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    database.store([UNIQUE, NONE])
    query = "SELECT id, label, ms / 2 AS half, status FROM answers ORDER BY id"
    assert bullseye("query", query, "-o", "out.parquet").code == 0
    table = parquet.read_table("out.parquet")
    assert [str(type_) for type_ in table.schema.types] == ["int64", "string", "double", "string"]
    assert table.column("status").to_pylist() == ["solved", "none"]


def test_parquet_refuses_a_column_of_several_types(bullseye: Bullseye, database: Database) -> None:
    pytest.importorskip("pyarrow")
    database.store([UNIQUE, INVALID])
    query = "SELECT coalesce(ms, status) AS mixed FROM answers"
    result = bullseye("query", query, "-o", "out.parquet")
    assert result.code == 2
    assert "the column mixed has values of several types" in result.err
    assert not Path("out.parquet").exists()


@pytest.mark.parametrize("sql", ["DELETE FROM answer", "SELECT 1; SELECT 2", "SELECT * FROM x", ""])
def test_anything_else_than_a_query_is_a_usage_error(
    bullseye: Bullseye, database: Database, sql: str
) -> None:
    database.store([UNIQUE])
    result = bullseye("query", sql)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("error: the query ")
    assert result.err.count("\n") == 1


def test_the_error_of_a_query_says_what_to_write_only_if_it_is_no_query_of_our_tables(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE])
    error = "error: the query is not valid (no such column: nosuch)\n"
    assert bullseye("query", "SELECT nosuch FROM answers").err == error
    error = "error: the query is not valid (something is missing or misplaced; line 1, column 32)\n"
    assert bullseye("query", "SELECT count(*) FROM batch LIMIT").err == error
    error = "error: the query must not use the function 'load_extension'\n"
    assert bullseye("query", "SELECT load_extension('x')").err == error
    for text in ("DELETE FROM answers", "SELECT 1; SELECT 2", "", "SELECT * FROM sqlite_master"):
        assert ": write one SELECT over answers, " in bullseye("query", text).err


def test_rows_cannot_be_written_as_solutions(bullseye: Bullseye, database: Database) -> None:
    result = bullseye("query", BY_STATUS, "-o", "out.txt")
    assert result.code == 2
    assert "the rows of a query cannot be written as lines" in result.err


def test_on_a_terminal_a_result_without_rows_says_so(database: Database) -> None:
    assert run_in_terminal("query", "SELECT id FROM answers") == (0, "id\n0 rows\n")

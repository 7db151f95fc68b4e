"""Every output has the exact number of solutions, also beyond 64 bits."""

import csv
import importlib.util
import io
import json
import os
from pathlib import Path

import pytest

from bullseye import results
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Bullseye, Database

LARGE = 10**30 + 1
PYARROW = importlib.util.find_spec("pyarrow") is not None
needs_pyarrow = pytest.mark.skipif(
    not PYARROW and os.environ.get("CI") != "true", reason="pyarrow is not installed"
)


@pytest.fixture(autouse=True)
def stored(database: Database) -> None:
    database.store([UNIQUE, UNIQUE._replace(solutions=LARGE)])


@pytest.mark.parametrize(
    ("output_format", "shown"),
    [
        ("json", f'"solutions": {LARGE}, '),
        ("csv", f",{LARGE},"),
        ("md", f"| {LARGE} |"),
        ("table", f" {LARGE:,} "),
    ],
)
def test_results_have_the_exact_number(output_format: str, shown: str, bullseye: Bullseye) -> None:
    assert shown in bullseye("results", "-f", output_format).out


def test_rows_of_json_and_csv_are_read_back(bullseye: Bullseye) -> None:
    lines = bullseye("results", "-f", "jsonl").out.splitlines()
    assert [json.loads(line)["solutions"] for line in lines] == [1, LARGE]
    rows = csv.DictReader(io.StringIO(bullseye("results", "-f", "csv").out))
    assert [row["solutions"] for row in rows] == ["1", str(LARGE)]


def test_a_template_and_show_have_the_exact_number(bullseye: Bullseye) -> None:
    assert bullseye("results", "--template", "{solutions:.3e}").out == f"{1:.3e}\n{LARGE:.3e}\n"
    assert f"{LARGE:,} solutions in total" in bullseye("show", 2).out


def test_a_large_number_is_multiple_for_filters(bullseye: Bullseye) -> None:
    assert bullseye("results", "--status", "multiple", "--count").out == "1\n"
    assert bullseye("results", "--status", "unique", "--count").out == "1\n"


def test_rows_in_python_have_the_exact_number() -> None:
    assert [row.solutions for row in results()] == [1, LARGE]
    assert [row.unique for row in results()] == [True, False]


@needs_pyarrow
def test_parquet_has_the_exact_number_as_text(bullseye: Bullseye, tmp_path: Path) -> None:
    from pyarrow.parquet import read_table  # noqa: PLC0415 # not everybody has it

    assert bullseye("results", "-o", tmp_path / "a.parquet").code == 0
    table = read_table(tmp_path / "a.parquet")
    assert table["solutions"].to_pylist() == [1, None]
    assert table["solutions_text"].to_pylist() == [None, str(LARGE)]


@needs_pyarrow
def test_a_table_of_arrow_has_the_exact_number() -> None:
    assert results().to_arrow()["solutions"].to_pylist() == [1, LARGE]


@pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="pandas is not installed")
def test_a_frame_of_pandas_has_the_exact_number() -> None:
    assert list(results().to_pandas()["solutions"]) == [1, LARGE]

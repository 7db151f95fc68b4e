"""examples/datasette.json matches a real database and storage/README.md."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from storage.database import open_database
from storage.location import database_url
from tests.readme.datasette import FILE, generated
from tests.readme.questions import PAGE, questions
from worker.settings import default_database

METADATA: dict[str, Any] = json.loads(FILE.read_text())
(DATABASE,) = METADATA["databases"].values()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database with the current schema."""
    path = tmp_path_factory.mktemp("datasette") / "bullseye.db"
    open_database(database_url(str(path)), migrate=True).dispose()
    return path


def columns(file: Path, table: str) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [line[1] for line in connection.execute(f"PRAGMA table_info({table})")]


def test_the_file_is_generated_from_the_page() -> None:
    assert FILE.read_text() == generated(), "To update: python -m tests.readme.datasette"


def test_the_database_name_is_that_of_the_default_file() -> None:
    assert list(METADATA["databases"]) == [default_database().stem]


@pytest.mark.parametrize("table", DATABASE["tables"])
def test_each_table_exists_and_has_these_facets(file: Path, table: str) -> None:
    actual = columns(file, table)
    assert actual
    assert set(DATABASE["tables"][table].get("facets", [])) <= set(actual)


@pytest.mark.parametrize("table", sorted(DATABASE["tables"].keys() - {"alembic_version"}))
def test_each_column_is_described_out_of_the_way_of_the_rows(file: Path, table: str) -> None:
    described = DATABASE["tables"][table]
    assert re.findall("<dt>(.*?)</dt>", described["description_html"]) == columns(file, table)
    assert "<details>" in described["description_html"]
    assert "columns" not in described  # Datasette lists these above the rows


def test_each_question_has_a_saved_query() -> None:
    titles = [query["title"] for query in DATABASE["queries"].values()]
    assert titles == [question.title for question in questions(PAGE.read_text())]


@pytest.mark.parametrize("name", DATABASE["queries"])
def test_each_saved_query_runs(file: Path, name: str) -> None:
    sql = DATABASE["queries"][name]["sql"]
    given = {"batch": 1, "other_batch": 2}
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(sql, given).description

"""examples/datasette.json fits a real database, and says what storage/README.md says."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from storage.database import open_database
from storage.location import database_url
from tests.readme.datasette import FILE, written
from tests.readme.questions import PAGE, questions

TOLD: dict[str, Any] = json.loads(FILE.read_text())
(DATABASE,) = TOLD["databases"].values()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as Bullseye makes it."""
    path = tmp_path_factory.mktemp("datasette") / "bullseye.db"
    open_database(database_url(str(path)), migrate=True).dispose()
    return path


def columns(file: Path, table: str) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return [line[1] for line in connection.execute(f"PRAGMA table_info({table})")]


def test_it_is_made_of_the_page() -> None:
    assert FILE.read_text() == written(), "python -m tests.readme.datasette writes it anew"


def test_it_is_for_the_name_that_the_database_has() -> None:
    assert list(TOLD["databases"]) == ["bullseye"]


@pytest.mark.parametrize("table", DATABASE["tables"])
def test_each_table_is_there_with_just_these_columns(file: Path, table: str) -> None:
    told = DATABASE["tables"][table]
    there = columns(file, table)
    assert there
    assert list(told.get("columns", there)) == there
    assert set(told.get("facets", [])) <= set(there)


def test_there_is_a_query_for_each_question() -> None:
    titles = [query["title"] for query in DATABASE["queries"].values()]
    assert titles == [question.title for question in questions(PAGE.read_text())]


@pytest.mark.parametrize("name", DATABASE["queries"])
def test_each_query_runs_for_any_batch(file: Path, name: str) -> None:
    sql = DATABASE["queries"][name]["sql"]
    given = {"batch": 1} if ":batch" in sql else {}
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(sql, given).description

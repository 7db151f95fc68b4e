"""Databases of earlier releases are upgraded without losing anything."""

from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from storage import engine
from storage.database import open_database, read
from storage.tables import REVISION
from tests import schemas

#: queries whose results an upgrade must not change
QUERIES = ("SELECT * FROM answers ORDER BY id", "SELECT * FROM solution ORDER BY 1, 2")


def test_each_released_schema_has_a_file() -> None:
    scripts = ScriptDirectory(str(schemas.MIGRATIONS))
    assert sorted(script.revision for script in scripts.walk_revisions()) == schemas.REVISIONS


def load(url: str, revision: str) -> None:
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        schemas.load(Path(engine.url.database or ""), revision)
    else:
        schemas.load_postgresql(engine, revision)
    engine.dispose()


def content(url: str) -> list[list[dict[str, Any]]]:
    """Return the rows of the queries, read as the program reads them."""
    made = engine.create_engine(engine.parse(url), create=False, pool=False, busy_seconds=30)
    with made.connect() as connection:
        found = [[dict(row) for row in connection.execute(text(sql)).mappings()] for sql in QUERIES]
    made.dispose()
    return found


@pytest.mark.parametrize("revision", schemas.REVISIONS)
def test_an_older_database_is_upgraded_with_all_its_content(url: str, revision: str) -> None:
    load(url, revision)
    before = content(url)
    assert [len(rows) for rows in before] == [36, 11]
    open_database(url, migrate=True).dispose()
    for rows, then in zip(content(url), before, strict=True):
        same = [{name: row[name] for name in old} for row, old in zip(rows, then, strict=True)]
        assert same == then
    assert revision_of(url) == REVISION


@pytest.mark.parametrize("revision", schemas.REVISIONS)
def test_the_upgraded_view_names_the_batch_of_each_answer(url: str, revision: str) -> None:
    load(url, revision)
    upgraded = open_database(url, migrate=True)
    with read(upgraded) as connection:
        named = connection.execute(
            text("SELECT DISTINCT batch, batch_name FROM answers ORDER BY batch")
        )
        names = dict(map(tuple, named))
        wanted = connection.execute(text("SELECT id, name FROM batch ORDER BY id"))
        assert names == {id_: name for id_, name in wanted if id_ in names}
    assert len(names) >= 4
    upgraded.dispose()


def revision_of(url: str) -> str:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    engine.dispose()
    return str(found)

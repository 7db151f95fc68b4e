"""Databases of earlier releases are upgraded without losing anything."""

from collections.abc import Sequence
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from storage import batches, engine
from storage.database import open_database, read
from storage.queries import health
from storage.tables import REVISION
from tests import schemas

#: queries whose results an upgrade must not change
QUERIES = ("SELECT * FROM answers ORDER BY id", "SELECT * FROM solution ORDER BY 1, 2")
#: the number of rows of each query in the files of schemas
ROWS = {"0001": [36, 11], "0002": [39, 11]}


def test_each_released_schema_has_a_file() -> None:
    scripts = ScriptDirectory(str(schemas.MIGRATIONS))
    revisions = {script.revision for script in scripts.walk_revisions()}
    assert revisions - {REVISION} <= set(schemas.REVISIONS)


def content(url: str) -> list[list[dict[str, Any]]]:
    """Return the rows of the queries, read as the program reads them."""
    made = engine.create_engine(engine.parse(url), create=False, pool=False, busy_seconds=30)
    with made.connect() as connection:
        found = [[dict(row) for row in connection.execute(text(sql)).mappings()] for sql in QUERIES]
    made.dispose()
    return found


@pytest.mark.parametrize("revision", schemas.REVISIONS)
def test_an_older_database_is_upgraded_with_all_its_content(url: str, revision: str) -> None:
    schemas.create(url, revision)
    before = content(url)
    assert [len(rows) for rows in before] == ROWS[revision]
    open_database(url, migrate=True).dispose()
    for rows, then in zip(content(url), before, strict=True):
        same = [{name: row[name] for name in old} for row, old in zip(rows, then, strict=True)]
        assert same == then
    assert revision_of(url) == REVISION


@pytest.mark.parametrize("revision", schemas.REVISIONS)
def test_the_upgraded_view_names_the_batch_of_each_answer(url: str, revision: str) -> None:
    schemas.create(url, revision)
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


def test_the_upgraded_view_names_the_input_of_each_answer(url: str) -> None:
    schemas.create(url, "0002")
    upgraded = open_database(url, migrate=True)
    with read(upgraded) as connection:
        of_both = "SELECT position, source, line FROM answers WHERE batch = 7 ORDER BY id"
        found = list(map(tuple, connection.execute(text(of_both))))
        others = "SELECT count(*) FROM answers JOIN batch ON batch.id = answers.batch"
        others += " WHERE batch.source LIKE '%' || answers.source || '%' AND line IS NULL"
        assert connection.execute(text(others)).scalar_one() == ROWS["0002"][0]
    assert found == [(1, "a.csv", None), (2, "a.csv", None), (3, "b.csv", None)]
    upgraded.dispose()


def revision_of(url: str) -> str:
    engine = create_engine(url)
    with engine.connect() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    engine.dispose()
    return str(found)


@pytest.mark.parametrize(
    ("answers", "kills"),
    [(30_000, (1, 7)), pytest.param(300_000, (1, 20, 40, 60, 80), marks=pytest.mark.soak)],
)
def test_an_upgrade_that_is_killed_begins_again(
    url: str, answers: int, kills: Sequence[int]
) -> None:
    schemas.create(url, "0001")
    filled = create_engine(url)
    with filled.begin() as connection:
        schemas.fill(connection, answers)
    filled.dispose()
    for lines in kills:
        with schemas.upgrading(url) as process:
            assert process.stdout is not None
            for _ in range(lines):
                assert process.stdout.readline()
            process.kill()
        assert revision_of(url) == "0001"
    steps = 2 * (answers + 36)
    with schemas.upgrading(url) as process:
        output, _ = process.communicate(timeout=300)
    assert output.splitlines()[-1] == f"{steps} {steps}"
    upgraded = open_database(url)
    with read(upgraded) as connection:
        counted = connection.execute(text("SELECT sum(answers) FROM summaries")).scalar_one()
        assert counted == answers + 36
        all_batches = batches.newest(connection, being_stored=True)
        assert not [fault for one in all_batches for fault in health.faults(connection, one)]
    upgraded.dispose()

"""The queries of `bullseye query`: SELECT over the tables, under the guard of `--where`."""

from typing import Any

import pytest
from sqlalchemy import func, select

from storage.database import read
from storage.errors import BadQuery
from storage.queries.guard import run_query
from storage.tables import VIEWS, answer, metadata
from tests.storage.harness import Harness
from tests.storage.queries.test_guard import ENDLESS

#: texts that are not one query, read other tables, or do more than compute
REJECTED = (
    "",
    ";",
    "SELECT id FROM",
    "SELECT 1; DROP TABLE answer",
    "SELECT 1; COMMIT; DROP TABLE answer",
    r"SELECT E'\'; COMMIT; DROP TABLE answer; --'",
    "SELECT $$'$$; COMMIT; DROP TABLE answer; --'",
    "DELETE FROM answer",
    "UPDATE answer SET label = 'x'",
    "WITH gone AS (DELETE FROM answer RETURNING id) SELECT id FROM gone",
    "INSERT INTO meta VALUES ('a', 'b')",
    "DROP VIEW answers",
    "CREATE TABLE mine AS SELECT * FROM answers",
    "SELECT * INTO mine FROM answers",
    "COPY answer TO '/tmp/answers'",
    "ATTACH 'other.db' AS other",
    "PRAGMA table_info(answer)",
    "COMMIT",
    "BEGIN",
    "VACUUM",
    "SELECT load_extension('x')",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM pragma_table_info('answer')",
    "SELECT * FROM pg_authid",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT set_config('role', 'postgres', true)",
    "SELECT * FROM alembic_version",
    "SELECT ? FROM answers",
    "SELECT :id",
    "SELECT %s",
    "SELECT '\udcff'",
)
#: counts to three
RECURSIVE = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3)"


def rows(harness: Harness, text: str, **how: Any) -> list[tuple[Any, ...]]:
    with read(harness.engine) as connection:
        return [tuple(row) for row in run_query(connection, text, **how).rows]


def test_the_view_and_every_table_can_be_read(harness: Harness) -> None:
    harness.solve(harness.submit(2, name="sunday"))
    for table in (*VIEWS, *metadata.tables):
        ((number,),) = rows(harness, f"SELECT count(*) FROM {table};\n")
        assert len(rows(harness, f"SELECT * FROM {table}")) == number


def test_a_query_has_the_columns_that_it_selects(harness: Harness) -> None:
    harness.solve(harness.submit(2, name="it's; sunday"))
    with read(harness.engine) as connection:
        found = run_query(
            connection,
            "SELECT batch.name AS batch_name, count(*) AS puzzles FROM batch"
            " JOIN answers ON answers.batch = batch.id WHERE batch.name = 'it''s; sunday'"
            " GROUP BY batch.name",
        )
        assert found.columns == ("batch_name", "puzzles")
        assert [tuple(row) for row in found.rows] == [("it's; sunday", 2)]


def test_a_query_without_rows_has_columns(harness: Harness) -> None:
    with read(harness.engine) as connection:
        found = run_query(connection, "SELECT id, label FROM answers")
        assert (found.columns, list(found.rows)) == (("id", "label"), [])


@pytest.mark.parametrize(
    "text",
    [
        f"{RECURSIVE} SELECT i FROM n",
        "VALUES (1), (2), (3)",
        "SELECT id FROM answers WHERE label IS NULL OR label LIKE '%;%' ORDER BY id",
        "select id -- of all\nfrom answers order by id",
    ],
)
def test_any_form_of_a_query_may_be_used(harness: Harness, text: str) -> None:
    harness.solve(harness.submit(3))
    assert rows(harness, text) == [(1,), (2,), (3,)]


def test_what_is_no_query_of_our_tables_is_rejected_in_one_sentence(harness: Harness) -> None:
    harness.solve(harness.submit(2))
    sentence = r"^the query (.*: write one SELECT over answers, |must not use |is not valid )"
    for text in REJECTED:
        with pytest.raises(BadQuery, match=sentence):
            rows(harness, text)
    with read(harness.engine) as connection:  # and nothing of it was done
        assert connection.execute(select(func.count()).select_from(answer)).scalar() == 2


def test_a_query_that_takes_too_long_is_stopped(harness: Harness) -> None:
    harness.solve(harness.submit(100))
    with pytest.raises(BadQuery, match=r"^the query found nothing within 0\.2 s: simplify it$"):
        rows(harness, f"SELECT 1 WHERE {ENDLESS}", fetch_seconds=0.2)


def test_times_are_text_whatever_the_database(harness: Harness) -> None:
    harness.solve(harness.submit(1))
    ((last, label),) = rows(harness, "SELECT max(solved_at), min(label) FROM answers")
    assert (last[10], last[-1], len(last), label) == ("T", "Z", 24, None)

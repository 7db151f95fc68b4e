"""The guard of `--where`: a condition can read answers and do nothing else."""

import signal
import subprocess
import sys
import time
import tracemalloc
from typing import Any

import pytest
from sqlalchemy import func, select

from storage.database import read, write
from storage.errors import BadQuery, StorageError
from storage.queries import guard
from storage.queries.answers import select_answers
from storage.tables import answer, chunk
from tests.storage.harness import Harness

#: a condition that counts 10^10 rows if there are a hundred answers
ENDLESS = "(select count(*) from answers a, answers b, answers c, answers d, answers e) > 0"

#: runs a condition until Ctrl-C, and then another one
INTERRUPTED = """
import sys
from storage.database import open_database, read
from storage.queries.answers import select_answers
engine = open_database(sys.argv[1])
with read(engine) as connection:
    list(select_answers(connection, where="id > 0"))
    print("begins", flush=True)
    try:
        list(select_answers(connection, where=sys.argv[2]))
    except KeyboardInterrupt:
        print("interrupted")
with read(engine) as connection:
    print(len(list(select_answers(connection, where="id > 0"))))
"""


def selected(harness: Harness, where: str) -> list[int]:
    with read(harness.engine) as connection:
        return [line.id for line in select_answers(connection, where=where)]


def guarded(harness: Harness, condition: str, fetch_seconds: float) -> list[Any]:
    with read(harness.engine) as connection:
        written, view = guard.condition(connection, condition)
        query = f"SELECT id FROM {view} WHERE {written}"
        return list(guard.execute(connection, query, fetch_seconds=fetch_seconds).rows)


@pytest.mark.parametrize(
    "where",
    [
        "id in (select id from chunk)",
        "(select count(*) from chunk) >= 0",
        "id in (select batch_id from answer)",
        "id in (select answer_id from solution)",
        "'x' <> (select value from meta)",
        "exists (select 1 from sqlite_master)",
        "exists (select 1 from pragma_table_info('answer'))",
        "load_extension('x') is null",
        "id in (select 1 from alembic_version)",
    ],
)
def test_on_sqlite_a_condition_can_read_only_the_view(on_sqlite: Harness, where: str) -> None:
    on_sqlite.solve(on_sqlite.submit(1))
    with pytest.raises(BadQuery):
        selected(on_sqlite, where)
    with write(on_sqlite.engine) as connection:  # the authorizer is removed with the query
        assert connection.execute(select(func.count()).select_from(chunk)).scalar() == 1


def test_on_sqlite_a_condition_can_read_the_elements_of_a_json_text(on_sqlite: Harness) -> None:
    on_sqlite.solve(on_sqlite.submit(2))
    each = "(select sum(value) from json_each('[1, 2]')) = 3 and (select 1 from json_tree('{}'))"
    assert len(selected(on_sqlite, each)) == 2


def test_on_postgresql_a_condition_cannot_write(on_postgresql: Harness) -> None:
    on_postgresql.solve(on_postgresql.submit(1))
    with pytest.raises(BadQuery, match="must not use the function 'nextval'"):
        selected(on_postgresql, "nextval('batch_id_seq') > 0")


@pytest.mark.parametrize(
    "where",
    [
        "id < length(pg_read_file('PG_VERSION'))",
        """id < length("pg_read_file"('PG_VERSION'))""",
        r"""id < length(U&"\0070g_read_file"('PG_VERSION'))""",
        "id < length(pg_catalog.pg_read_file/**/('PG_VERSION'))",
        r"label = E'\'' or id < length(pg_read_file('PG_VERSION')) or label = ''",
        "label = $$'$$ or id < length(pg_read_file('PG_VERSION')) or label = $$'$$",
        "exists (select 1 from pg_ls_dir('.'))",
        "exists (select 1 from pg_authid)",
        "id < (select count(*) from chunk)",
        "query_to_xml('select 1', true, true, '') is not null",
        "table_to_xml('pg_authid', true, true, '') is not null",
        "set_config('role', 'postgres', true) is not null",
        "lo_import('/etc/passwd') > 0",
        "pg_sleep(1) is null",
    ],
)
def test_on_postgresql_a_condition_can_read_only_the_view(
    on_postgresql: Harness, where: str
) -> None:
    on_postgresql.solve(on_postgresql.submit(1))
    with pytest.raises(BadQuery):
        selected(on_postgresql, where)


@pytest.mark.parametrize(
    "where",
    [
        "label is null or label <> 'the chunk of pg_authid, at random'",
        "lower(coalesce(label, 'a')) like '%a' and abs(position) between 1 and 5",
        "puzzle <> to_char(now(), 'YYYY-MM-DD') or ms is null or round(ms) >= 0",
        "label is null or label <> 'it''s random'",
    ],
)
def test_on_postgresql_a_condition_may_use_pure_functions(
    on_postgresql: Harness, where: str
) -> None:
    on_postgresql.solve(on_postgresql.submit(1))
    assert len(selected(on_postgresql, where)) == 1


def test_read_transactions_of_postgresql_are_read_only(on_postgresql: Harness) -> None:
    with (
        pytest.raises(StorageError, match="read-only"),
        read(on_postgresql.engine) as connection,
    ):
        connection.execute(answer.delete())


@pytest.mark.parametrize("where", ["id = ?", "id = :id", "id = %s", "id = %(id)s"])
def test_placeholders_in_a_condition_are_rejected(harness: Harness, where: str) -> None:
    harness.solve(harness.submit(1))
    with pytest.raises(BadQuery, match=r"is not valid|must not use"):
        selected(harness, where)


def test_a_condition_must_be_valid_utf_8(harness: Harness) -> None:
    with pytest.raises(BadQuery, match="is not valid UTF-8 text"):
        selected(harness, "label = '\udcff'")
    assert selected(harness, "label = 'é'") == []


def test_a_condition_may_contain_a_subquery_on_the_view(harness: Harness) -> None:
    harness.solve(harness.submit(2))
    assert selected(harness, "id = (select max(id) from answers)") == [2]
    assert selected(harness, "(select count(*) from answers) = 2") == [1, 2]


def test_on_sqlite_a_condition_cannot_create_a_huge_value(on_sqlite: Harness) -> None:
    on_sqlite.solve(on_sqlite.submit(1))
    with pytest.raises(BadQuery, match="too big"):
        selected(on_sqlite, "length(randomblob(900000000)) > 0")


def test_a_condition_that_takes_too_long_is_stopped(harness: Harness) -> None:
    harness.solve(harness.submit(100))
    with pytest.raises(BadQuery, match=r"nothing within 0\.2 s"):
        guarded(harness, ENDLESS, fetch_seconds=0.2)  # without the limit, for many minutes
    assert len(guarded(harness, "id > 0", fetch_seconds=5.0)) == 100  # the limits are removed again


def test_on_sqlite_ctrl_c_stops_a_long_condition(on_sqlite: Harness) -> None:
    # PostgreSQL's driver handles Ctrl-C itself; SQLite runs inside this process.
    on_sqlite.solve(on_sqlite.submit(100))
    program = [sys.executable, "-c", INTERRUPTED, str(on_sqlite.engine.url), ENDLESS]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begins\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted\n100\n"


@pytest.mark.attack
def test_on_sqlite_a_pattern_of_like_is_short(on_sqlite: Harness) -> None:
    on_sqlite.solve(on_sqlite.submit(1))
    with pytest.raises(BadQuery, match="pattern too complex"):
        selected(on_sqlite, "puzzle LIKE printf('%.*c', 40000, '%')")


@pytest.mark.attack
def test_large_rows_are_fetched_one_by_one(harness: Harness) -> None:
    harness.solve(harness.submit(16))
    large = "printf('%.*c', 8000000, 'a')"
    if harness.engine.dialect.name == "postgresql":
        large = "repeat('a', 8000000)"
    with read(harness.engine) as connection:
        found = guard.run_query(connection, f"SELECT {large} AS large FROM answers")
        tracemalloc.start()
        try:
            assert sum(len(row.large) for row in found.rows) == 16 * 8_000_000
            assert tracemalloc.get_traced_memory()[1] < 60_000_000
        finally:
            tracemalloc.stop()


def test_the_time_between_two_fetches_is_not_limited(harness: Harness) -> None:
    harness.solve(harness.submit(guard.ROWS_PER_FETCH + 1))
    with read(harness.engine) as connection:
        _, lines = guard.run_query(
            connection, "SELECT id FROM answers ORDER BY id", fetch_seconds=1.0
        )
        assert next(lines).id == 1
        time.sleep(1.1)
        assert sum(1 for _ in lines) == guard.ROWS_PER_FETCH

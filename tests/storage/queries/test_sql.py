"""What SQL of users may be: every attack is refused before it reaches a database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from storage.database import read, write
from storage.errors import BadQuery
from storage.queries import guard
from storage.queries.allowed import FUNCTIONS
from storage.queries.answers import select_answers
from storage.queries.sql import Checker, Refused
from tests.storage.harness import Harness

CHECKERS = {
    "postgresql": Checker("postgresql", {"answers": "public", "batch": "public"}),
    "sqlite": Checker("sqlite", {"answers": "", "batch": ""}),
}
#: where a function may stand in a query
POSITIONS = (
    "SELECT {}",
    'SELECT 1 AS "\'", {} AS x, 2 AS "\'"',
    "SELECT id FROM answers, LATERAL {}",
    "SELECT count(*) FILTER (WHERE {} IS NULL) OVER (PARTITION BY {}) FROM answers",
    "WITH t AS (SELECT id FROM answers ORDER BY {}) SELECT * FROM t WHERE id IN (VALUES ({}))",
    "SELECT * FROM ROWS FROM ({}) LIMIT (SELECT {})",
)
#: names that quotes, escapes and comments hide
HIDDEN = (
    "pg_read_file('x')",
    """"pg_read_file"('x')""",
    """U&"\\0070g_read_file"('x')""",
    "pg_catalog.pg_read_file('x')",
    """pg_catalog."pg_read_file"('x')""",
    "PG_READ_FILE /* /* */ */ ('x')",
    "mine.length('x')",
    "(answers.label).pg_read_file",
    "upper(pg_read_file('x'))",
    "(SELECT pg_read_file('x'))",
    "CASE WHEN true THEN pg_read_file('x') END",
    "position(pg_read_file('x') IN 'x')",
    "CAST(pg_read_file('x') AS text)",
    "greatest(1, pg_read_file('x'))",
    "1 OPERATOR(mine.+) 1",
    "'x'::mine.type",
    "'x'::mytype",
    r"E'\'' || pg_read_file('x') || E'\''",
    "$$'$$ || pg_read_file('x') || $$'$$",
    "1 IN (TABLE pg_authid)",
    "1 IN chunk",
)
#: tables that are not ours, or not of this scope
TABLES = (
    *("pg_authid", "pg_catalog.pg_authid", "mine.answers", "db.public.answers", "worker", "label"),
    *("pg_temp.answers", "sqlite_master", "temp.answers", "chunk", '"answers "', "ONLY pg_authid"),
    *("pragma_table_info('batch')", "pg_ls_dir('.')", "pg_stat_get_activity(NULL)"),
    *("public.answers(1)", "public.length('x')", "(SELECT * FROM pg_authid) q"),
    *("answers, pg_authid", "answers JOIN pg_authid ON true", "answers AS pg_authid, pg_authid"),
    *("(WITH t AS (SELECT 1) SELECT * FROM t) q, t", "answers TABLESAMPLE mine.sample (1)"),
)
#: statements that are no query, or more than one
STATEMENTS = (
    "COPY answers TO '/tmp/x'",
    "SELECT * INTO mine FROM answers",
    "SELECT id FROM answers FOR UPDATE",
    "SELECT 1; SELECT 2",
    "WITH t AS (DELETE FROM answers RETURNING id) SELECT * FROM t",
    "WITH answers AS (SELECT 1) SELECT * FROM answers",
    "WITH pg_authid AS (SELECT 1) SELECT * FROM pg_authid",
    "EXPLAIN ANALYZE SELECT 1",
    "SET ROLE postgres",
    "DO $$BEGIN END$$",
    "CALL mine.f()",
    "SHOW config_file",
    "SELECT $1",
    "SELECT CURRENT_USER",
    "answers",
)


def refused(checker: Checker, query: str) -> bool:
    try:
        checker.checked(query)
    except Refused:
        return True
    return False


@pytest.mark.attack
@pytest.mark.parametrize("checker", CHECKERS.values(), ids=CHECKERS)
def test_no_other_function_table_or_statement_passes(checker: Checker) -> None:
    selected = [f"SELECT {expression} FROM answers" for expression in HIDDEN]
    read_from = [f"SELECT * FROM {table}" for table in TABLES]
    passed = [one for one in (*selected, *read_from, *STATEMENTS) if not refused(checker, one)]
    assert passed == []


@pytest.mark.attack
@pytest.mark.parametrize("checker", CHECKERS.values(), ids=CHECKERS)
def test_a_condition_cannot_end_outside_its_brackets(checker: Checker) -> None:
    for condition in ("1) OR (1", "1; SELECT 1", "1 UNION SELECT 1", "1 ORDER BY 1", "", "(1"):
        with pytest.raises(Refused):
            checker.checked(condition, condition=True)
    assert checker.checked("1 = 1 -- )", condition=True) == "1 = 1"


@pytest.mark.attack
@pytest.mark.parametrize("checker", CHECKERS.values(), ids=CHECKERS)
def test_brackets_nested_without_end_are_refused(checker: Checker) -> None:
    with pytest.raises(Refused, match="nested too deeply"):
        checker.checked("SELECT " + "(" * 20_000)


@pytest.mark.attack
@pytest.mark.parametrize("checker", CHECKERS.values(), ids=CHECKERS)
def test_what_the_parser_itself_fails_at_is_refused(checker: Checker) -> None:
    for query in ("SELECT (SELECT x ARRAY[ id */", "SELECT (1) . [1] [1]", "SELECT 1 WHERE CAST("):
        with pytest.raises(Refused, match=r"is not valid|must not use"):
            checker.checked(query)


@pytest.mark.attack
def test_functions_of_postgresql_that_do_more_than_compute_pass_nowhere(
    on_postgresql: Harness,
) -> None:
    reading = r"proname ~ 'to_xml|^pg_stat|^pg_get|^pg_ls|^pg_read|setting|^lo_|privilege'"
    wanted = text(f"SELECT proname FROM pg_proc WHERE provolatile = 'v' OR {reading}")
    with read(on_postgresql.engine) as connection:
        names = set(connection.execute(wanted).scalars()) - FUNCTIONS
    checker = CHECKERS["postgresql"]
    calls = [(position, f"{name}(NULL)") for name in names for position in POSITIONS]
    passed = [
        call for position, call in calls if not refused(checker, position.replace("{}", call))
    ]
    assert len(names) > 300
    assert passed == []


@pytest.fixture
def hostile(on_postgresql: Harness) -> Iterator[Harness]:
    """A database in which others have functions, operators and tables with names as ours."""
    harness = on_postgresql
    harness.solve(harness.submit(1))
    with write(harness.engine) as connection:
        for statement in (
            "CREATE SCHEMA mine",
            "CREATE TABLE mine.answers AS SELECT 'secret' AS label",
            "CREATE TABLE worker AS SELECT 'secret' AS label",
            "CREATE FUNCTION upper(bigint) RETURNS text STABLE LANGUAGE sql AS $$SELECT 'secret'$$",
            "CREATE FUNCTION secret(text, text) RETURNS text LANGUAGE sql AS $$SELECT 'secret'$$",
            "CREATE OPERATOR + (FUNCTION = secret, LEFTARG = text, RIGHTARG = text)",
        ):
            connection.exec_driver_sql(statement)
    yield harness


@pytest.mark.attack
def test_what_others_have_in_the_database_is_not_found(hostile: Harness) -> None:
    for query in (
        "SELECT * FROM worker",
        "SELECT * FROM mine.answers",
        "SELECT upper(id) FROM answers",
        "SELECT kind + kind FROM answers",
        "SELECT secret('a', 'b')",
        "SELECT 1 AS \"'\", pg_read_file('/etc/hostname') AS x, 2 AS \"'\"",
        "SELECT (t.label).pg_read_file FROM (SELECT '/etc/hostname'::text AS label) AS t",
    ):
        with read(hostile.engine) as connection, pytest.raises(BadQuery):
            list(guard.run_query(connection, query).rows)


@pytest.mark.attack
def test_on_postgresql_nothing_can_be_changed_even_by_what_would_pass(hostile: Harness) -> None:
    for query in ("SELECT nextval('batch_id_seq')", "SELECT 1 FROM mine.answers FOR UPDATE"):
        with read(hostile.engine) as connection, pytest.raises(BadQuery):
            list(guard.execute(connection, query).rows)


@pytest.mark.attack
def test_a_query_has_the_rights_of_the_role_for_readers(hostile: Harness) -> None:
    role = guard.READER
    with write(hostile.engine) as connection:
        connection.exec_driver_sql(f"CREATE ROLE {role}")
    try:
        with write(hostile.engine) as connection:
            connection.exec_driver_sql(f"GRANT SELECT ON answers TO {role}")
        with read(hostile.engine) as connection:
            assert len(list(select_answers(connection, where="id > 0"))) == 1
        with read(hostile.engine) as connection:
            assert [row.n for row in guard.run_query(connection, "SELECT 1 AS n").rows] == [1]
        for query in ("SELECT * FROM batch", "SELECT * FROM mine.answers"):
            denied = "permission denied" if "batch" in query else "must not use"
            with (
                read(hostile.engine) as connection,
                pytest.raises(BadQuery, match=denied),
            ):
                list(guard.run_query(connection, query).rows)
    finally:
        with write(hostile.engine) as connection:
            connection.exec_driver_sql(f"DROP OWNED BY {role}")
            connection.exec_driver_sql(f"DROP ROLE {role}")


@pytest.mark.attack
@pytest.mark.parametrize("name", ["answers", "solution"])
def test_on_sqlite_the_name_of_a_view_opens_no_table_to_a_condition(
    on_sqlite: Harness, name: str
) -> None:
    on_sqlite.solve(on_sqlite.submit(1))
    where = f"1 IN (WITH {name} AS (SELECT id FROM chunk) SELECT id FROM {name})"
    with read(on_sqlite.engine) as connection, pytest.raises(BadQuery):
        list(select_answers(connection, where=where))


def test_queries_with_tables_of_their_own_may_be_used(harness: Harness) -> None:
    harness.solve(harness.submit(1))
    query = "WITH t AS (SELECT 1 AS x), Chunks AS (SELECT 2 AS y) SELECT count(*) FROM t, chunks"
    with read(harness.engine) as connection:
        assert [tuple(row) for row in guard.run_query(connection, query).rows] == [(1,)]


def test_a_query_means_the_same_after_the_check(harness: Harness) -> None:
    """The first word of each line in forms.sql says in which databases it is valid."""
    name = harness.engine.dialect.name
    harness.solve(harness.submit(3, name="n"))
    for line in Path(__file__).with_name("forms.sql").read_text().splitlines():
        where, _, query = line.partition(": ")
        if where not in ("both", name):
            continue
        driver = query.replace("%", "%%") if name == "postgresql" else query
        with read(harness.engine) as connection:
            plain = [tuple(row) for row in connection.exec_driver_sql(driver)]
        with read(harness.engine) as connection:
            found = [tuple(row) for row in guard.run_query(connection, query).rows]
        assert found == plain, query

"""storage/README.md describes the real tables, and its queries return the answers it shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, create_engine, event, select

from storage import tables
from storage.database import open_database
from storage.view import COLUMNS
from tests.readme.questions import (
    PAGE,
    Question,
    connect,
    example_database,
    query,
    questions,
    steady,
)
from tests.readme.reading import quoted, table

TEXT = PAGE.read_text()
QUESTIONS = questions(TEXT)
HINT = "update the answers with: python -m tests.readme.questions"
#: the same as some questions ask, read from the answers themselves; by the question's number
SCANS = {
    1: """
SELECT batch, batch_name, status, count(*) AS puzzles
FROM answers GROUP BY batch, batch_name, status ORDER BY batch, puzzles DESC""",
    6: """
SELECT one.puzzle, one.batch, one.solutions, other.batch, other.solutions
FROM answers AS one JOIN answers AS other ON other.puzzle = one.puzzle AND other.id > one.id
WHERE one.kind = other.kind AND one.solutions <> other.solutions ORDER BY one.id""",
    8: """
SELECT count(*), min(CASE WHEN share >= 0.50 THEN ms END),
       min(CASE WHEN share >= 0.90 THEN ms END), max(ms)
FROM (SELECT batch, ms, cume_dist() OVER (PARTITION BY batch ORDER BY ms) AS share
      FROM answers WHERE ms IS NOT NULL) AS timed
GROUP BY batch HAVING batch = 2""",
    9: """
SELECT batch, worker, count(*), sum(ms), min(solved_at), max(solved_at)
FROM answers WHERE worker IS NOT NULL
GROUP BY batch, worker ORDER BY batch, worker""",
}


def described(name: str) -> list[list[str]]:
    """The rows of the page that describe the columns of a table."""
    _, _, rest = TEXT.partition(f"\n### `{name}`\n")
    return table(rest.partition("\n#")[0])


def test_every_table_has_a_section() -> None:
    assert set(re.findall(r"^### `(\w+)`$", TEXT, re.MULTILINE)) == set(tables.metadata.tables)


@pytest.mark.parametrize("made", tables.metadata.sorted_tables, ids=str)
def test_a_section_lists_the_columns_of_its_table_in_order(made: Table) -> None:
    listed = [(quoted(name), kind, null) for name, kind, null, _ in described(made.name)]
    assert listed == [
        (column.name, str(column.type).lower(), "yes" if column.nullable else "no")
        for column in made.columns
    ]
    assert all(meaning for *_, meaning in described(made.name))


def test_the_section_of_the_view_lists_its_columns_in_order() -> None:
    _, _, rest = TEXT.partition("\n## The view `answers`\n")
    listed = table(rest.partition("\n#")[0])
    assert [quoted(name) for name, *_ in listed] == list(COLUMNS)
    assert all(all(row) for row in listed)


def test_there_are_ten_questions() -> None:
    numbers = re.findall(r"^### (\d+)\. ", TEXT, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 11)]
    assert len(QUESTIONS) == 10, "each needs SQL, and `Answer:` or `For example:`"


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    with example_database(TEXT) as file:
        yield file


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.title)
def test_a_query_returns_the_answer_that_is_shown(file: Path, question: Question) -> None:
    with connect(file) as connection:
        answer = query(connection, question.sql)
        cells = steady(connection, question.sql)
    assert cells, "no rows"
    if question.exact:
        assert answer == question.shown, HINT
        return
    assert answer.splitlines()[:2] == question.shown.splitlines()[:2], HINT
    shown = table(question.shown)
    assert [
        [None if new is None else old for new, old in zip(row, line, strict=True)]
        for row, line in zip(cells, shown, strict=True)
    ] == cells, HINT
    assert all(all(line) for line in shown)


@pytest.mark.parametrize("number", SCANS)
def test_a_query_that_reads_little_returns_what_a_scan_of_all_answers_gives(
    file: Path, number: int
) -> None:
    with connect(file) as connection:
        asked = connection.execute(QUESTIONS[number - 1].sql).fetchall()
        scanned = connection.execute(SCANS[number]).fetchall()
    assert len(asked) == len(scanned) > 0
    for row, expected in zip(asked, scanned, strict=True):
        assert [pytest.approx(one) if isinstance(one, float) else one for one in row] == [*expected]


def test_postgresql_returns_the_same_answers(file: Path, postgresql_url: str) -> None:
    engine = open_database(postgresql_url, migrate=True)
    with engine.connect() as connection:
        copy(file, connection)
        answers = {one.title: query(connection.connection.cursor(), one.sql) for one in QUESTIONS}
        connection.rollback()  # other tests use the same server
    engine.dispose()
    assert [answers[one.title] for one in QUESTIONS if one.exact] == [
        one.shown for one in QUESTIONS if one.exact
    ]


def copy(file: Path, connection: Connection) -> None:
    """Copy all rows of an SQLite file into existing tables."""
    source = create_engine(f"sqlite:///{file}")
    event.listen(source, "connect", lambda raw, _: raw.execute("PRAGMA query_only = ON"))
    for made in reversed(tables.metadata.sorted_tables):  # what other tests have left
        connection.execute(made.delete())
    with source.connect() as reading:
        for made in tables.metadata.sorted_tables:
            if rows := [dict(row) for row in reading.execute(select(made)).mappings()]:
                connection.execute(made.insert(), rows)
    source.dispose()

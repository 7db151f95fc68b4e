"""What storage/README.md tells of the tables is so, and its questions have the answers it shows."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, create_engine, event, select

from storage import tables
from storage.database import open_database
from tests.readme.questions import PAGE, Question, asked, asked_of, opened, questions
from tests.readme.reading import quoted, table

TEXT = PAGE.read_text()
QUESTIONS = questions(TEXT)
AGAIN = "python -m tests.readme.questions writes the answers anew"


def of_table(name: str) -> list[list[str]]:
    """What the page tells of the columns of a table."""
    _, _, rest = TEXT.partition(f"\n### `{name}`\n")
    return table(rest.partition("\n#")[0])


def test_every_table_has_its_section() -> None:
    assert set(re.findall(r"^### `(\w+)`$", TEXT, re.MULTILINE)) == set(tables.metadata.tables)


@pytest.mark.parametrize("made", tables.metadata.sorted_tables, ids=str)
def test_the_columns_are_those_of_the_table_in_order(made: Table) -> None:
    told = [(quoted(name), kind, null) for name, kind, null, _ in of_table(made.name)]
    assert told == [
        (column.name, str(column.type).lower(), "yes" if column.nullable else "no")
        for column in made.columns
    ]
    assert all(meaning for *_, meaning in of_table(made.name))


def test_there_are_ten_questions() -> None:
    numbers = re.findall(r"^### (\d+)\. ", TEXT, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 11)]
    assert len(QUESTIONS) == 10, "each has its SQL, and `Answer:` or `For example:`"


@pytest.fixture(scope="module")
def file() -> Iterator[Path]:
    """The database of the page."""
    with asked_of(TEXT) as file:
        yield file


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.title)
def test_a_question_has_the_answer_that_is_shown(file: Path, question: Question) -> None:
    with opened(file) as connection:
        told = asked(connection, question.sql)
    assert told.count("\n") > 2, "no rows"
    if question.exact:
        assert told == question.shown, AGAIN
    else:
        assert told.splitlines()[:2] == question.shown.splitlines()[:2], AGAIN
        assert told.count("\n") == question.shown.count("\n"), AGAIN


def test_postgresql_gives_the_same_answers(file: Path, postgresql_url: str) -> None:
    engine = open_database(postgresql_url, migrate=True)
    with engine.connect() as connection:
        copy(file, connection)
        answers = {one.title: asked(connection.connection.cursor(), one.sql) for one in QUESTIONS}
        connection.rollback()  # the server is there for other tests, too
    engine.dispose()
    assert [answers[one.title] for one in QUESTIONS if one.exact] == [
        one.shown for one in QUESTIONS if one.exact
    ]


def copy(file: Path, connection: Connection) -> None:
    """All rows of an SQLite file, into tables that are there."""
    source = create_engine(f"sqlite:///{file}")
    event.listen(source, "connect", lambda raw, _: raw.execute("PRAGMA query_only = ON"))
    with source.connect() as reading:
        for made in tables.metadata.sorted_tables:
            connection.execute(made.delete())
            if rows := [dict(row) for row in reading.execute(select(made)).mappings()]:
                connection.execute(made.insert(), rows)
    source.dispose()

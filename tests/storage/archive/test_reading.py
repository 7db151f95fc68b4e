"""Row groups have the rows of their query."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet
from sqlalchemy import update

from storage.archive import arrow
from storage.database import read, write
from storage.errors import StorageError
from storage.export import archiving
from storage.queries import lines
from storage.queries.answers import select_answers, select_lines
from storage.queries.lines import Form
from storage.tables import answer, archive
from storage.values import Answer, Status
from storage.view import COLUMNS, OF_CLASSES, OF_FACTS
from tests.storage.harness import Harness, answer_to, puzzles_of

LABELS = (None, "", "A 'q' \"x\", 100 %\r\nÖ", "NULL", "\\N", " 7 ")
#: more than the rows that are read at a time
MANY = lines.LINES_AT_A_TIME + 10
SELECTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"batch": 2},
    {"batch": 3},
    {"status": ["none", "timeout"]},
    {"batch": 1, "sort": ["-label", "ms"]},
    {"min_score": 2850, "sort": ["-score"], "first": 3},
    {"first": 4, "offset": 2},
    {"where": "label LIKE '%100 \\%%' OR clues / 2 = 0", "sort": ["-id"]},
    {"columns": ["solved_at", "label", "id"]},
    {"columns": ["detail"]},
)


def various(puzzles: list[Any]) -> Iterator[Answer]:
    """Yield answers of every status, with every column null in some of them."""
    for number, puzzle in enumerate(puzzles):
        status = list(Status)[number % 5]
        yield answer_to(
            puzzle._replace(label=LABELS[number % len(LABELS)]),
            status=status,
            ms=None if status is Status.INVALID else 0.1 + number / 7,
            score=None if number % 2 else 2840 + number,
            solutions=2**70 if number == 5 else 2**63 - 1 if number == 6 else number % 4,
        )._replace(
            detail="why, 'so'" if number % 3 == 0 else None,
            option_counts="[1, 2]" if number % 4 == 0 else None,
            size=None if number % 6 == 0 else 4,
            solution="" if number == 7 else None if status is Status.NONE else "1234341221434321",
        )


@pytest.fixture
def solved(harness: Harness) -> Harness:
    """A database with two batches of 12 and 7 answers, one of them with a name."""
    for number, name in ((12, "sunday, 'x'"), (7, None)):
        harness.submit(number, name=name)
        (one,) = harness.claim_new()
        found = list(various(puzzles_of(one)))
        assert harness.store_answers(harness.must_take(one.id), found)
    harness.submit(3)
    return harness


def tables(harness: Harness, **how: Any) -> list[pa.Table]:
    """Return the row groups of a selection."""
    schema = arrow.of_answers(how.get("columns", COLUMNS))
    with (
        read(harness.engine, archived=True) as connection,
        closing(select_lines(connection, Form.ARROW, **how)) as texts,
    ):
        return list(arrow.row_groups(texts, Form.ARROW.value, schema))


def values(found: list[pa.Table]) -> list[tuple[Any, ...]]:
    """Return the rows of tables as the database has them."""
    return [
        row
        for one in found
        for row in zip(*[arrow.values(column) for column in one.columns], strict=True)
    ]


def rows(
    harness: Harness, *, columns: Sequence[str] = COLUMNS, **how: Any
) -> list[tuple[Any, ...]]:
    """Return the values of answers, without numbers of solutions beyond 64 bits."""
    with read(harness.engine, archived=True) as connection:
        found = list(select_answers(connection, **how))
    small = [row._replace(solutions=None) if row.solutions_text else row for row in found]
    return [tuple(row.value(name) for name in columns) for row in small]


@pytest.mark.parametrize("how", SELECTIONS)
def test_row_groups_have_the_rows_and_types_of_the_view(
    solved: Harness, how: dict[str, Any]
) -> None:
    found = tables(solved, **how)
    assert values(found) == rows(solved, **how)
    assert all(one.schema == arrow.of_answers(how.get("columns", COLUMNS)) for one in found)


def test_archived_answers_are_among_them(solved: Harness, tmp_path: Any) -> None:
    before = rows(solved)
    archiving.archive(solved.engine, 1, tmp_path)
    assert values(tables(solved)) == before


def test_files_of_a_release_with_fewer_columns_are_read(solved: Harness, tmp_path: Path) -> None:
    before = [row[: COLUMNS.index("source")] for row in rows(solved, batch=1)]
    archiving.archive(solved.engine, 1, tmp_path)
    for file in tmp_path.rglob("answers-*.parquet"):
        table = parquet.read_table(file).drop_columns(["source", "line", *OF_CLASSES, *OF_FACTS])
        parquet.write_table(table, file)
        size = update(archive).where(archive.c.path == str(file))
        with write(solved.engine) as connection:
            assert connection.execute(size.values(bytes=file.stat().st_size)).rowcount == 1
    assert rows(solved, batch=1) == [
        (*row, *[None] * len((*OF_CLASSES, *OF_FACTS, "source", "line"))) for row in before
    ]


def test_a_column_may_be_null_in_all_rows_but_the_last(harness: Harness) -> None:
    harness.submit(MANY)
    (one,) = harness.claim_new()
    *others, last = [answer_to(puzzle) for puzzle in puzzles_of(one)]
    last = last._replace(label="last", detail="why", score=7, bound=9)
    assert harness.store_answers(harness.must_take(one.id), [*others, last])
    found = pa.concat_tables(tables(harness))
    assert found["id"].to_pylist() == list(range(1, MANY + 1))
    assert found.select(["label", "detail", "score"]).to_pylist()[-2:] == [
        {"label": None, "detail": None, "score": None},
        {"label": "last", "detail": "why", "score": 7},
    ]


@pytest.mark.parametrize("id_", [2, MANY])
def test_a_value_of_another_type_is_an_error_of_storage(on_sqlite: Harness, id_: int) -> None:
    on_sqlite.solve(on_sqlite.submit(MANY))
    with write(on_sqlite.engine) as connection:
        connection.execute(update(answer).where(answer.c.id == id_).values(nodes="several"))
    with pytest.raises(StorageError, match=r"cannot be read \(.*several"):
        tables(on_sqlite)

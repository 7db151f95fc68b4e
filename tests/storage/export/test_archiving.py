"""An archived batch gives the same answers as before, and no fault on the way loses one."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow.parquet import ParquetFile
from sqlalchemy import Connection, Engine, event, func, select, update

from storage.archive import arrow, catalogue
from storage.batches import Batch
from storage.database import open_database, read, write
from storage.errors import (
    ArchiveUnreadable,
    BadQuery,
    BatchArchived,
    BatchIncomplete,
    ExportDiffers,
    NoSuchPuzzle,
)
from storage.export import archiving, files
from storage.outbox.removal import delete_batch
from storage.queries.answers import (
    count_answers,
    find_answer,
    further_solutions,
    select_answers,
)
from storage.queries.guard import run_query
from storage.queries.progress import count_outcomes, read_progress
from storage.queries.stats import stats, stats_and_distributions
from storage.tables import answer, chunk, fingerprint, solution
from storage.values import Answer, Kept, Status
from storage.view import COLUMNS
from tests.storage.harness import Harness, answer_to, puzzles_of

FURTHER = (Kept(2, 2841, "2143"), Kept(3, None, "3412"))
#: options of `select_answers`, each a different way through the query
SELECTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"batch": 2},
    {"batch": 1, "status": ["none", "timeout"]},
    {"status": ["multiple"], "sort": ["label"]},
    {"min_score": 2850, "sort": ["-score"], "first": 3},
    {"batch": 2, "sort": ["-ms"], "first": 2, "offset": 1},
    {"sort": ["-nodes", "id"], "first": 4},
    {"first": 3, "offset": 2},
    {"where": "label LIKE 'A%' OR clues / 2 = 0", "sort": ["-label"], "first": 5},
    {"where": "solved_at > '2020-01-01' AND batch_name = 'sunday'"},
)
QUERIES = (
    "SELECT batch, status, count(*), max(ms) FROM answers GROUP BY batch, status ORDER BY 1, 2",
    "SELECT batch.name, answers.id, solution.text FROM batch JOIN answers ON answers.batch = "
    "batch.id LEFT JOIN solution ON solution.answer_id = answers.id ORDER BY 2, 3",
)


def various(puzzles: list[Any]) -> Iterator[Answer]:
    """Yield answers of every status, with every column null in some of them."""
    for number, puzzle in enumerate(puzzles):
        named = puzzle._replace(label=None if number % 3 else f"A 'q' \"{number}\"\n, Ö")
        status = list(Status)[number % 5]
        yield answer_to(
            named,
            status=status,
            ms=None if status is Status.INVALID else round(0.1 + number / 7, 6),
            score=None if number % 2 else 2840 + number,
            solutions=2**70 if number == 5 else number % 4,
            further=FURTHER if number % 5 == 0 else (),
        )


@pytest.fixture
def solved(harness: Harness) -> Harness:
    """A database with three batches of 7, 12 and 5 puzzles, all answered."""
    for sizes in ((7,), (4, 8), (5,)):
        harness.submit(*sizes, name="sunday")
        for one in harness.claim_new():
            found = list(various(puzzles_of(one)))
            assert harness.store_answers(harness.must_take(one.id), found)
    return harness


def content(engine: Engine) -> list[Any]:
    """Return what all queries that read answers find."""
    found: list[Any] = []
    with read(engine, archived=True) as connection:
        found += [list(map(tuple, select_answers(connection, **one))) for one in SELECTIONS]
        for number in (1, 2):
            found += stats_and_distributions(connection, number, exact=True)
            progress = read_progress(connection, number, tally=True)
            found += [progress._replace(is_archived=False, rate=0.0)]
            found += [count_outcomes(connection, number)]
            found += [count_answers(connection, batch=number)]
        found += [list(map(tuple, run_query(connection, query).rows)) for query in QUERIES]
    for id_ in (1, 8, 13, 24):
        with read(engine, archived=True) as connection:
            found += [tuple(find_answer(connection, id_)), further_solutions(connection, id_)]
    return found


def rows(connection: Connection, batch: Batch) -> list[tuple[Any, ...]]:
    """Return the answers of a batch, without numbers of solutions beyond 64 bits."""
    found = list(select_answers(connection, batch=batch.id))
    return [row._replace(solutions=None) if row.solutions_text else row for row in found]


def batch_of(harness: Harness, number: int) -> Batch:
    with read(harness.engine) as connection:
        return read_progress(connection, number).batch


def faults_of(harness: Harness, batch: Batch) -> list[str]:
    with read(harness.engine) as connection:
        return list(archiving.faults(connection, batch))


def stored(engine: Engine) -> list[int]:
    """Return the number of rows in the tables whose rows files replace."""
    with read(engine) as connection:
        tables = (answer, solution, fingerprint)
        return [connection.scalar(select(func.count()).select_from(one)) or 0 for one in tables]


def test_a_query_that_reads_archived_answers_is_stopped_like_any_other(
    solved: Harness, tmp_path: Path
) -> None:
    archiving.archive(solved.engine, 2, tmp_path)
    long = "SELECT count(*) FROM " + ", ".join(f"answers {name}" for name in "abcdef")
    with (
        read(solved.engine, archived=True) as connection,
        pytest.raises(BadQuery, match=r"found nothing within 0\.2 s"),
    ):
        list(run_query(connection, long, fetch_seconds=0.2).rows)


def test_all_queries_find_the_same_before_and_after(solved: Harness, tmp_path: Path) -> None:
    before = content(solved.engine)
    assert len(before[0]) == 24
    archiving.archive(solved.engine, 2, tmp_path)
    assert content(solved.engine) == before
    archiving.archive(solved.engine, "last", tmp_path)
    archiving.archive(solved.engine, 1, tmp_path)
    assert content(solved.engine) == before
    assert stored(solved.engine) == [0, 0, 0]
    assert [faults_of(solved, batch_of(solved, number)) for number in (1, 2, 3)] == [[], [], []]
    with read(solved.engine) as connection, pytest.raises(NoSuchPuzzle):
        find_answer(connection, 25)


def test_an_export_has_the_rows_of_the_view_and_the_kept_solutions(
    solved: Harness, tmp_path: Path
) -> None:
    made = archiving.export(solved.engine, 2, tmp_path)
    assert (made.folder, made.is_new) == (tmp_path / "batch-2", True)
    assert sorted(path.name for path in made.folder.iterdir()) == [
        "answers-1.parquet",
        "solutions-1.parquet",
    ]
    table = ParquetFile(made.folder / "answers-1.parquet").read()
    columns = [arrow.values(column) for column in table.columns]
    with read(solved.engine) as connection:
        assert list(zip(*columns, strict=True)) == rows(connection, made.batch)
        found = connection.execute(select(solution).where(solution.c.answer_id.between(8, 19)))
        kept = [dict(row) for row in found.mappings()]
    assert table.column_names == list(COLUMNS)
    further = ParquetFile(made.folder / "solutions-1.parquet")
    assert further.read().to_pylist() == kept
    header = json.loads(further.metadata.metadata[b"bullseye"])
    assert (header["batch"], header["content"], header["rows"]) == (2, "solutions", len(kept))
    assert len(header["checksum"]) == 64


def test_a_second_export_compares_the_files_with_the_database(
    solved: Harness, tmp_path: Path
) -> None:
    made = archiving.export(solved.engine, 1, tmp_path)
    assert archiving.export(solved.engine, 1, tmp_path) == made._replace(is_new=False)
    other = archiving.export(solved.engine, 3, tmp_path).folder
    (made.folder / "answers-1.parquet").write_bytes((other / "answers-1.parquet").read_bytes())
    for command in (archiving.export, archiving.archive):
        with pytest.raises(ExportDiffers, match="are not those of this batch: move them"):
            command(solved.engine, 1, tmp_path)
    assert stored(solved.engine)[0] == 24


def test_a_file_that_is_truncated_or_missing_is_noticed(solved: Harness, tmp_path: Path) -> None:
    made = archiving.archive(solved.engine, 1, tmp_path)
    path = made.folder / "answers-1.parquet"
    whole = path.read_bytes()
    for part in (whole[:-1], b""):
        path.write_bytes(part)
        assert faults_of(solved, made.batch) == [f"{path} is not the file that was archived"]
    path.write_bytes(whole)
    assert faults_of(solved, made.batch) == []
    table = ParquetFile(path).read()
    changed = table.set_column(14, "nodes", pa.array([7] * 6 + [8]))
    with arrow.writer(path, table.schema) as writer:
        writer.write_table(changed)
    assert faults_of(solved, made.batch) == [f"{path} is not the file that was archived"]
    path.unlink()
    with read(solved.engine, archived=True) as connection:
        with pytest.raises(ArchiveUnreadable, match="but is missing or has changed: restore it"):
            rows(connection, made.batch)
        assert len(list(select_answers(connection, batch=2))) == 12
        assert not stats(connection, 1).exact  # from summaries


def test_a_batch_with_unanswered_puzzles_is_not_exported(harness: Harness, tmp_path: Path) -> None:
    harness.submit(2, 1)
    (one, _) = harness.claim_new()
    harness.store_answers(harness.must_take(one.id), list(various(puzzles_of(one))))
    harness.cancel(batch_of(harness, 1))
    for command in (archiving.export, archiving.archive):
        with pytest.raises(BatchIncomplete, match=r"is not finished \(2 of 3 answers\)"):
            command(harness.engine, 1, tmp_path)
    assert list(tmp_path.glob("batch*")) == []


def test_a_batch_that_changes_while_it_is_read_is_not_exported(
    solved: Harness, tmp_path: Path
) -> None:
    """Another program begins to solve it again after its first check."""

    def change(_: Any, __: Any, statement: str, *___: Any) -> None:
        if "FROM meta" in statement:
            other = open_database(url)
            with write(other) as connection:
                connection.execute(update(chunk).values(attempts=chunk.c.attempts + 1))
            other.dispose()

    url = solved.engine.url.render_as_string(hide_password=False)
    event.listen(solved.engine, "before_cursor_execute", change)
    for command in (archiving.export, archiving.archive):
        with pytest.raises(BatchIncomplete, match="batch 1 has changed meanwhile: repeat"):
            command(solved.engine, 1, tmp_path)
    event.remove(solved.engine, "before_cursor_execute", change)
    assert list(tmp_path.glob("*batch*")) == []
    assert archiving.export(solved.engine, 1, tmp_path).is_new


def test_an_archived_batch_is_not_retried_and_its_files_outlive_it(
    solved: Harness, tmp_path: Path
) -> None:
    made = archiving.archive(solved.engine, 1, tmp_path)
    assert archiving.archive(solved.engine, 1, tmp_path / "other") == made._replace(is_new=False)
    for change in (
        lambda: solved.retry(made.batch),
        lambda: archiving.export(solved.engine, 1, tmp_path),
    ):
        with pytest.raises(BatchArchived, match="batch 1 is archived: its answers do not change"):
            change()
    delete_batch(solved.engine, 1)
    with read(solved.engine) as connection:
        assert catalogue.of_puzzles(connection) == []
    assert Path(made.files[0].path).exists()


def test_without_duckdb_the_message_names_the_files_and_the_extra(
    solved: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = archiving.archive(solved.engine, 1, tmp_path)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    monkeypatch.delitem(sys.modules, "storage.archive.loading", raising=False)
    with read(solved.engine, archived=True) as connection:
        with pytest.raises(ArchiveUnreadable) as error:
            rows(connection, made.batch)
        assert str(error.value) == (
            f"answers that are archived in {made.folder} need duckdb: "
            "pip install 'bullseye[archive]'"
        )
        assert len(list(select_answers(connection, batch=2))) == 12
        counts = {"solved": 2, "none": 2, "timeout": 1, "invalid": 1, "failed": 1}
        assert stats(connection, 1).by_status == counts


def test_large_batches_have_several_files_and_row_groups(
    solved: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with read(solved.engine) as connection:
        before = rows(connection, batch_of(solved, 2))
    with monkeypatch.context() as small:
        small.setattr(arrow, "ROWS_PER_GROUP", 2)
        small.setattr(files, "GROUPS_PER_FILE", 2)
        archiving.export(solved.engine, 2, tmp_path)
    made = archiving.archive(solved.engine, 2, tmp_path)
    assert [(Path(one.path).name, one.rows) for one in made.files] == [
        ("answers-1.parquet", 4),
        ("answers-2.parquet", 4),
        ("answers-3.parquet", 4),
        ("solutions-1.parquet", 4),
        ("solutions-2.parquet", 2),
    ]
    with read(solved.engine, archived=True) as connection:
        assert rows(connection, made.batch) == before

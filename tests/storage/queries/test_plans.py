"""Query plans: frequent statements must not scan a large table."""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest
from sqlalchemy import Connection, Select, event

from storage import batches
from storage.database import read, write
from storage.outbox import leases, publishing, recovery, stride
from storage.queries import health
from storage.queries.answers import find_answer, select_answers
from storage.queries.progress import active_leases, is_finished, read_progress
from storage.values import Kind
from tests.storage.harness import QUEUE, ROOM, Harness, answers_to

Statement = Callable[[Connection], object]

LEASE = leases.Lease(2, 1, 1, Kind.SUDOKU, {})
STATEMENTS: dict[str, Statement] = {
    "publish": lambda connection: publishing.claim_new(connection, QUEUE, ROOM),
    "sweep": lambda connection: recovery.lost(connection, QUEUE, idle=True, drained=True),
    "take": lambda connection: leases.take(connection, 3, "ada", "digest"),
    "renew": lambda connection: leases.renew(connection, LEASE),
    "release": lambda connection: leases.release(connection, LEASE),
    "is finished": lambda connection: is_finished(connection, 1),
    "waiting": lambda connection: stride.waiting_chunks(connection, 1, 2),
    "progress": lambda connection: read_progress(connection, 1, tally=True),
    "leases": lambda connection: active_leases(connection, QUEUE),
    "cancel": lambda connection: batches.cancel(connection, 1),
    "show": lambda connection: find_answer(connection, 1),
    "results": lambda connection: list(select_answers(connection, batch=1)),
    "newest results": lambda connection: list(select_answers(connection, sort=["-id"], first=1)),
}


@pytest.fixture
def busy(on_sqlite: Harness) -> Iterator[Harness]:
    """Chunk 1 is done, 2 is taken, 3 is sent, 4 is new."""
    on_sqlite.submit(1, 1, 1, 1)
    done, taken, _ = on_sqlite.claim_new(most=3)
    assert on_sqlite.store_answers(on_sqlite.must_take(done.id), answers_to(done))
    on_sqlite.must_take(taken.id)
    yield on_sqlite


@pytest.mark.parametrize("name", STATEMENTS)
def test_a_frequent_statement_uses_an_index(busy: Harness, name: str) -> None:
    plans = plans_of(busy, STATEMENTS[name])
    assert plans
    for plan in plans:
        scans = [line for line in plan if line.startswith("SCAN")]
        # Chunks are scanned only by the index of sent and taken ones, or from the last sent on.
        index_scans = [
            f"SCAN chunk USING INDEX chunk_{name}" for name in ("under_way", "by_sending")
        ]
        few_rows = ("SCAN CONSTANT ROW", "SCAN anon_")  # a SELECT without FROM, one with LIMIT
        wanted = ("SCAN batch", "SCAN answer", "SCAN archive", *few_rows, *index_scans)
        assert all(line.startswith(wanted) for line in scans), plan
        assert "SCAN answer" not in scans or name == "newest results", plan
        assert not any("TEMP B-TREE FOR ORDER BY" in line for line in plan), plan


def test_on_postgresql_all_answers_are_read_in_the_order_of_their_index(
    on_postgresql: Harness,
) -> None:
    on_postgresql.solve(on_postgresql.submit(3))
    with read(on_postgresql.engine) as connection:
        found = [one.id for one in select_answers(connection, batch=1)]
        query = "EXPLAIN SELECT * FROM answers WHERE id BETWEEN 1 AND 3 ORDER BY id"
        plan = connection.exec_driver_sql(query).scalars().all()
    assert found == [1, 2, 3]
    assert not any("Sort" in line for line in plan), plan


#: 1,000 batches of 20 new chunks, and 1,000 that have ended
MANY = (
    "INSERT INTO batch (id, source, kind, options, puzzles, first_id, queue, ready, created_at,"
    " served, active) SELECT i, '-', 'sudoku', '{}', 20, 20 * i, 'queue', 1, '', mod(i, 97),"
    " CASE WHEN i > 1000 THEN 0 ELSE 1 END FROM generate_series(1, 2000) AS i",
    "INSERT INTO chunk (batch_id, count, answered, bytes, state, attempts)"
    " SELECT 1 + mod(i, 1000), 1, 0, 99, 'new', 0 FROM generate_series(0, 19999) AS i",
    "ANALYZE",
)


def test_answers_that_a_check_found_wrong_are_counted_without_reading_others(busy: Harness) -> None:
    assert plans_of(busy, health.refused_answers) == [
        [
            "SCAN answer USING INDEX answer_refused",
            "SEARCH summary USING INTEGER PRIMARY KEY (rowid=?)",
        ]
    ]


@pytest.mark.parametrize("order", [stride.NEXT, stride.HIGHEST])
def test_a_claim_on_postgresql_reads_only_the_batches_that_are_next(
    on_postgresql: Harness, order: Select[Any]
) -> None:
    with write(on_postgresql.engine) as connection:
        for statement in MANY:
            connection.exec_driver_sql(statement)
        sql = order.params(of_queue=QUEUE, most=4).compile(
            connection.engine, compile_kwargs={"literal_binds": True}
        )
        plan = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {sql}").scalar_one()
    assert sum(rows_read(plan[0]["Plan"])) <= 20, plan


def rows_read(plan: dict[str, Any]) -> list[float]:
    """Return the number of rows of each node of a plan, including those that it left out."""
    rows = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    return [rows * plan["Actual Loops"], *chain(*map(rows_read, plan.get("Plans", [])))]


def plans_of(harness: Harness, statement: Statement) -> list[list[str]]:
    """Return SQLite's plan for each SQL statement that is executed."""
    asked: list[tuple[str, object]] = []

    def listen(_c: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        asked.append((statement, parameters))

    with write(harness.engine) as connection:
        event.listen(harness.engine, "before_cursor_execute", listen)
        statement(connection)
        event.remove(harness.engine, "before_cursor_execute", listen)
        return [
            [line.detail for line in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {s}", p)]  # type: ignore[arg-type] # the arguments of the driver
            for s, p in asked
            if s.startswith(("SELECT", "UPDATE"))
        ]

"""The lines about workers while a batch is watched."""

import re
from collections.abc import Callable

import pytest

from cli.progress.workers import MAX_LINES, WorkerState, WorkerTable, format_workers
from storage.database import database_id, write
from storage.outbox import leases, publishing
from storage.outbox.leases import Lease
from storage.queries.progress import ActiveLease, WorkerShare
from storage.values import Answers
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Database
from tests.cli.progress.test_wait import Clock, wait
from tests.cli.terminal import run_in_terminal
from tests.storage.harness import take_chunk

SEEN = "2026-11-21T01:04:29.321Z"


#: the batch that is watched
BATCH = 5
#: seconds
RENEWAL = 10.0


@pytest.fixture
def table() -> WorkerTable:
    return WorkerTable(RENEWAL)


def held(
    worker: str, chunk: int, silent: float = 0.0, *, attempt: int = 1, batch: int = BATCH
) -> ActiveLease:
    return ActiveLease(worker, batch, chunk, attempt, silent)


def lines(table: WorkerTable, now: float, *held: ActiveLease, **answered: int) -> list[str]:
    """Return the lines of these alive workers, given their answers and leases."""
    shares = [WorkerShare(name, number, SEEN) for name, number in answered.items()]
    return list(format_workers(table.update(now, list(answered), shares, held), BATCH))


def test_a_worker_line_has_chunk_time_rate_and_answers(table: WorkerTable) -> None:
    lines(table, 0.0, held("ada", 7), ada=1)
    assert lines(table, 4.0, held("ada", 7, 1.5), ada=4001, bob=12) == [
        "  ada  chunk 7 for 4.00 s           1,000/s  4,001 done",
        "  bob  idle                                     12 done",
    ]


def test_a_worker_that_solves_another_batch_is_not_idle(table: WorkerTable) -> None:
    lines(table, 0.0, held("ada", 7, batch=6), ada=12)
    (found,) = lines(table, 4.0, held("ada", 7, 1.5, batch=6), ada=12)
    assert found.split("  ")[1:3] == ["ada", "batch 6 for 4.00 s"]


def test_a_worker_is_idle_a_second_after_its_last_chunk(table: WorkerTable) -> None:
    lines(table, 0.0, held("ada", 7), ada=0)
    assert "chunk 7" in lines(table, 0.75, ada=500)[0]
    assert "500 done" in lines(table, 0.75, ada=500)[0]
    assert "idle" in lines(table, 1.25, ada=500)[0]


def test_a_new_attempt_restarts_the_time_and_a_renewal_does_not(table: WorkerTable) -> None:
    lines(table, 0.0, held("ada", 7, 2.0))
    assert "for 22.0 s" in lines(table, 20.0, held("ada", 7, 0.0))[0]
    assert "for 0.50 s" in lines(table, 30.0, held("ada", 7, 0.5, attempt=2))[0]


def test_of_several_chunks_the_oldest_is_shown(table: WorkerTable) -> None:
    lines(table, 0.0, held("ada", 9))
    found = lines(table, 5.0, held("ada", 9, 5.0), held("ada", 10))
    assert "chunk 9 for 5.00 s, 1 more" in found[0]


def test_a_worker_that_missed_one_renewal_is_silent(table: WorkerTable) -> None:
    (busy,) = table.update(0.0, [], [], [held("ada", 7, RENEWAL)])
    assert busy.state is WorkerState.BUSY
    (silent,) = table.update(0.5, [], [], [held("ada", 7, RENEWAL + 0.5)])
    assert silent.state is WorkerState.SILENT
    assert "chunk 7 silent 10.5 s" in next(format_workers([silent], BATCH))


def test_a_worker_that_consumes_nothing_though_chunks_wait_is_stalled(table: WorkerTable) -> None:
    idle, stalled = table.update(0.0, ["ada", "bob"], [], [], ["bob"])
    assert (idle.state, stalled.state) == (WorkerState.IDLE, WorkerState.STALLED)
    assert next(format_workers([stalled], BATCH)).split()[:2] == ["bob", "stalled"]


def test_many_workers_with_long_names_fit_80_columns(table: WorkerTable) -> None:
    names = {f"bullseye-{pid}@a-machine-with-a-long-name.example": 10**7 for pid in range(40)}
    leases = [held(name, 10**6 + i, 3599.0, batch=12345) for name in names for i in range(8)]
    found = lines(table, 0.0, *leases, **names)
    assert len(found) == MAX_LINES + 1
    assert found[-1] == f"  and {40 - MAX_LINES} more workers"
    assert max(map(len, found)) <= 80


def test_a_log_line_is_followed_by_the_workers(
    database: Database, redis: str, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = Clock()
    batch = database.store([UNIQUE], waiting=3)
    taken = take(database)

    def end(now: float) -> None:
        if now > 35:
            finish(database, taken)

    clock.meanwhile = end
    wait(database, clock, batch)
    head, worker = capsys.readouterr().err.splitlines()
    assert head == f"batch {batch}: 25 %, 1 / 4"
    assert re.fullmatch(rf"  box-2  chunk {taken.chunk_id} for 30\.\d s +0 done", worker)


def take(database: Database) -> Lease:
    with write(database.engine) as connection:
        queue = f"bullseye-{database_id(connection)}"
        (waits,) = publishing.claim_new(connection, queue, 1 << 20, most=1)
        taken = take_chunk(connection, waits.id, "box-2")
    assert taken is not None
    return taken


def finish(database: Database, lease: Lease) -> None:
    with write(database.engine) as connection:
        assert leases.store_answers(connection, lease, Answers.of([]), "box-2", done=True)


def finish_when(text: str, database: Database, lease: Lease) -> Callable[[str], None]:
    """Return a callback that completes the chunk once, when `text` is shown."""
    finished = False

    def on_output(output: str) -> None:
        nonlocal finished
        if not finished and text in output:
            finished = True
            finish(database, lease)

    return on_output


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}], ids=["colour", "plain"])
def test_a_terminal_shows_bar_and_workers_and_clears_them(
    database: Database, environment: dict[str, str]
) -> None:
    batch = database.store([UNIQUE], waiting=3)
    lease = take(database)
    on_output = finish_when("box-2", database, lease)
    _, text = run_in_terminal("status", "-w", batch, on_output=on_output, **environment)
    plain = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", text)
    assert re.search(rf"batch {batch} [━╸╺ ]+ 25 % 1 / 4", plain)
    assert re.search(rf"^  box-2  chunk {lease.chunk_id} for \d\.\d\d s +0 done", plain, re.M)
    assert max(map(len, re.split(r"[\r\n]", plain))) <= max(80, len(str(database.path)))
    assert ("\x1b[3" in text) is not bool(environment)
    assert re.search(r"[\r\n]1 of 4 puzzles · ", plain)


def test_a_dumb_terminal_gets_no_bar(database: Database) -> None:
    batch = database.store([UNIQUE], waiting=3)
    # Without Redis the first sweep prints a warning: by then a bar would have been drawn.
    on_output = finish_when("warning: cannot reach Redis", database, take(database))
    _, text = run_in_terminal(
        "status", "-w", batch, on_output=on_output, TERM="dumb", BULLSEYE_SWEEP="0.5"
    )
    assert "warning: cannot reach Redis" in text
    assert "1 of 4 puzzles · " in text
    assert "\x1b" not in text
    assert "━" not in text

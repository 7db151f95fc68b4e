"""What each worker does, a line for each, while a batch is watched."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cli.progress.workers import MOST, SILENT, WorkerTable, told
from storage.database import database_id, write
from storage.outbox import leases, publishing
from storage.outbox.leases import Lease
from storage.queries.progress import ActiveLease, WorkerShare
from storage.values import Answers
from tests.cli.answers import UNIQUE
from tests.cli.conftest import EASY, Filled
from tests.cli.progress.test_wait import Clock, waiting
from tests.cli.terminal import seen

SEEN = "2026-11-21T01:04:29.321Z"


def lines(lanes: WorkerTable, now: float, *held: ActiveLease, **answered: int) -> list[str]:
    """Of workers that are alive, with what they have answered."""
    shares = [WorkerShare(name, number, SEEN) for name, number in answered.items()]
    return list(told(lanes.at(now, list(answered), shares, held)))


def test_a_worker_has_a_line_with_chunk_time_speed_and_answers() -> None:
    lanes = WorkerTable()
    lines(lanes, 0.0, ActiveLease("ada", 7, 1, 0.0), ada=0)
    assert lines(lanes, 4.0, ActiveLease("ada", 7, 1, 1.5), ada=4000, bob=12) == [
        "  ada  chunk 7 for 4.00 s           1,000/s  4,000 done",
        "  bob  waits                                    12 done",
    ]


def test_a_renewal_does_not_begin_the_time_anew_but_another_attempt_does() -> None:
    lanes = WorkerTable()
    lines(lanes, 0.0, ActiveLease("ada", 7, 1, 2.0))
    assert "for 22.0 s" in lines(lanes, 20.0, ActiveLease("ada", 7, 1, 0.0))[0]
    assert "for 0.50 s" in lines(lanes, 30.0, ActiveLease("ada", 7, 2, 0.5))[0]


def test_of_several_chunks_the_one_that_takes_longest_is_named() -> None:
    lanes = WorkerTable()
    lines(lanes, 0.0, ActiveLease("ada", 9, 1, 0.0))
    found = lines(lanes, 5.0, ActiveLease("ada", 9, 1, 5.0), ActiveLease("ada", 10, 1, 0.0))
    assert "chunk 9 for 5.00 s, 1 more" in found[0]


def test_a_worker_that_does_not_renew_is_called_silent() -> None:
    assert (
        "chunk 7 silent 40.0 s"
        in lines(WorkerTable(), 0.0, ActiveLease("ada", 7, 1, SILENT + 15))[0]
    )


def test_however_many_workers_and_however_long_their_names_lines_fit() -> None:
    names = {f"bullseye-{pid}@a-machine-with-a-long-name.example": 10**7 for pid in range(40)}
    held = [ActiveLease(name, 10**6 + i, 1, 3599.0) for name in names for i in range(8)]
    found = lines(WorkerTable(), 0.0, *held, **names)
    assert len(found) == MOST + 1
    assert found[-1] == f"  and {40 - MOST} more workers"
    assert max(map(len, found)) <= 80


def test_a_log_gets_the_workers_under_its_line(
    filled: Filled, redis: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert redis
    clock = Clock()
    batch = filled.store([UNIQUE], waiting=3)
    taken = take(filled)

    def end(now: float) -> None:
        if now > 35:
            finish(filled, taken)

    clock.meanwhile = end
    waiting(filled, clock).until_over(batch)
    head, lane = capsys.readouterr().err.splitlines()
    assert head == f"batch {batch}: 25 %, 1 / 4"
    assert re.fullmatch(rf"  box-2  chunk {taken.chunk_id} for 30\.\d s +0 done", lane)


@contextmanager
def soon(filled: Filled, taken: Lease) -> Iterator[None]:
    """The chunk is finished while the user watches."""

    def later() -> None:
        time.sleep(1.5)
        finish(filled, taken)

    thread = threading.Thread(target=later)
    thread.start()
    yield
    thread.join()


def take(filled: Filled) -> Lease:
    with write(filled.engine) as connection:
        queue = f"bullseye-{database_id(connection)}"
        (waits,) = publishing.claim_new(connection, queue, 1 << 20, most=1)
        taken = leases.take(connection, waits.id, "box-2", 60.0)
    assert taken is not None
    return taken


def finish(filled: Filled, taken: Lease) -> None:
    with write(filled.engine) as connection:
        assert leases.store_answers(connection, taken, Answers.of([]), "box-2", done=True)


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}], ids=["colour", "plain"])
def test_a_terminal_shows_bar_and_workers_and_takes_them_away(
    filled: Filled, environment: dict[str, str]
) -> None:
    batch = filled.store([UNIQUE], waiting=3)
    taken = take(filled)
    with soon(filled, taken):
        _, text = seen("status", "-w", batch, **environment)
    plain = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", text)
    assert re.search(rf"batch {batch} [━╸╺ ]+ 25 % 1 / 4", plain)
    assert re.search(rf"^  box-2  chunk {taken.chunk_id} for \d\.\d\d s +0 done", plain, re.M)
    *drawn, summary = re.split(r"[\r\n]", plain.rstrip())
    assert max(map(len, drawn)) <= 80
    assert ("\x1b[3" in text) is not bool(environment)
    assert summary.startswith("1 of 4 puzzles · ")


def test_a_dumb_terminal_gets_no_bar(filled: Filled) -> None:
    batch = filled.store([UNIQUE], waiting=3)
    with soon(filled, take(filled)):
        _, text = seen("status", "-w", batch, TERM="dumb")
    assert "\x1b" not in text
    assert "━" not in text
    assert EASY not in text

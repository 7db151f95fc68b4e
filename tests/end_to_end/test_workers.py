"""Workers that share batches, arrive late, are killed, terminated or cancelled."""

import json
import os
import re
import signal
from itertools import islice
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import Bullseye, eventually, kill
from tests.end_to_end.load import QUICK, Load
from tests.services import free_port, redis_server
from tests.sudoku import grids
from worker.app import SOFT_SHUTDOWN_SECONDS
from worker.local.process_group import ProcessGroup

#: the log line of one chunk
LINE = re.compile(
    r"^\S+ \S+ INFO worker\.attempt\.chunk: chunk=(\d+) batch=(\d+) attempt=1"
    r" end=(\w+) answered=(\d+) divided=0 seconds=\d+\.\d{3}$",
    re.MULTILINE,
)


def test_two_workers_share_a_batch(bullseye: Bullseye) -> None:
    puzzles = list(islice(grids(10, 24), 400))
    (bullseye.folder / "puzzles.txt").write_text("\n".join(puzzles))
    with bullseye.worker(), bullseye.worker():
        eventually(lambda: bullseye.live_workers() == 2)
        batch = bullseye.out("submit", "--wait", "--limit", "2000", "puzzles.txt").strip()
    Load(bullseye, batch, puzzles).assert_complete()
    shares = {json.loads(line)["worker"] for line in bullseye.out("results", batch).splitlines()}
    assert len(shares) == 2


def test_a_worker_waits_for_redis_and_the_database_and_says_when_it_is_ready(
    bullseye: Bullseye, home: ProcessGroup, redis_program: Path
) -> None:
    port = free_port()
    bullseye.redis_url = f"redis://:sesame@127.0.0.1:{port}/0"
    bullseye.database.write_text("not a database" * 100)
    with bullseye.worker(2, "--wait"):
        eventually(lambda: f"cannot reach Redis at 127.0.0.1:{port}" in bullseye.logs())
        with redis_server(redis_program, home, "127.0.0.1", port):
            eventually(lambda: "is not an SQLite database" in bullseye.logs())
            bullseye.database.unlink()
            eventually(lambda: " is ready: " in bullseye.logs())
    (ready,) = (line for line in bullseye.logs().splitlines() if " is ready: " in line)
    assert ready.endswith(
        f"is ready: 2 processes, database {bullseye.database}, Redis redis://:***@127.0.0.1:{port}/0"
    )


def test_a_worker_that_need_not_wait_exits_with_69(bullseye: Bullseye) -> None:
    bullseye.redis_url = "redis://127.0.0.1:1/0"
    done = bullseye.run("worker")
    assert done.returncode == 69
    assert done.stderr.startswith("error: cannot reach Redis at 127.0.0.1:1 ")


def test_an_invalid_url_of_the_database_is_not_waited_for(bullseye: Bullseye) -> None:
    done = bullseye.run("worker", "--wait", "--db", "mysql://ada:secret@host/x")
    assert done.returncode == 69
    assert done.stderr.startswith("error: Bullseye stores answers in SQLite or PostgreSQL, not in")


def test_puzzles_wait_until_a_worker_starts(bullseye: Bullseye) -> None:
    puzzles = list(islice(grids(11, 30), 20))
    batch = bullseye.out("submit", "-", stdin="\n".join(puzzles)).strip()
    assert bullseye.out("results", batch) == ""
    with bullseye.worker():
        assert bullseye.run("status", batch, "-w").returncode == 0
        Load(bullseye, batch, puzzles).assert_complete(0)


@pytest.mark.soak
def test_a_batch_is_completed_though_one_of_two_workers_is_killed(
    bullseye: Bullseye,
) -> None:
    bullseye.settings |= QUICK
    puzzles = list(islice(grids(12, 22), 240))
    (bullseye.folder / "puzzles.txt").write_text("\n".join(puzzles))
    with bullseye.worker() as victim, bullseye.worker():
        batch = bullseye.out("submit", "--limit", "50000", "--timeout", "3", "puzzles.txt").strip()
        load = Load(bullseye, batch, puzzles)
        eventually(lambda: load.answered() > 0)
        kill(victim)
        bullseye.run("status", batch, "-w")
    load.assert_complete(0)


def test_a_terminated_worker_gives_its_chunk_back_before_the_soft_timeout(
    bullseye: Bullseye,
) -> None:
    endless = list(islice(grids(13, 4), 2))
    with bullseye.worker() as leaving:
        batch = bullseye.out(
            "submit", "--limit", "all", "--timeout", "60", "-", stdin="\n".join(endless)
        ).strip()
        eventually(lambda: bullseye.status(batch)["chunks"]["taken"] > 0)
        os.kill(leaving.pid, signal.SIGTERM)
        leaving.wait(timeout=SOFT_SHUTDOWN_SECONDS - 2)
    assert bullseye.status(batch)["chunks"]["taken"] == 0


@pytest.mark.soak
def test_cancelling_stops_the_workers_and_keeps_the_answers(bullseye: Bullseye) -> None:
    easy, endless = list(islice(grids(14, 30), 8)), next(grids(13, 4))
    lines = "\n".join([*easy, endless, endless])
    with bullseye.worker():
        batch = bullseye.out(
            "submit", "--limit", "all", "--timeout", "60", "-", stdin=lines
        ).strip()
        load = Load(bullseye, batch, [])
        eventually(lambda: load.answered() >= 8)
        bullseye.out("cancel", batch)
        bullseye.out("submit", "--wait", "-", stdin=easy[0])  # the worker is free again
    assert len(bullseye.out("results", batch).splitlines()) == 8


def test_submit_without_redis_stores_nothing_and_exits_with_69(
    bullseye: Bullseye,
) -> None:
    bullseye.redis_url = "redis://127.0.0.1:1/0"
    bullseye.database.unlink()
    done = bullseye.run("submit", "-", stdin="." * 81)
    assert done.returncode == 69
    assert done.stderr.startswith("error: cannot reach Redis at 127.0.0.1:1")
    assert len(done.stderr.splitlines()) <= 3
    assert not bullseye.database.exists()


def test_a_worker_logs_one_line_per_chunk(bullseye: Bullseye) -> None:
    puzzles = list(islice(grids(24, 30), 300))
    batch = bullseye.out("submit", "-", stdin="\n".join(puzzles)).strip()
    with bullseye.worker(2, "--", "-l", "info"):
        eventually(Load(bullseye, batch, puzzles).complete)
        (log,) = bullseye.folder.glob("worker-*.log")
        done = bullseye.status(batch)["chunks"]["done"]
        eventually(lambda: len(LINE.findall(log.read_text())) == done)
    chunks = LINE.findall(log.read_text())
    assert {end for _, _, end, _ in chunks} == {"done"}
    assert {of for _, of, _, _ in chunks} == {batch}
    assert sum(int(answered) for *_, answered in chunks) == 300
    assert "Task " not in log.read_text()

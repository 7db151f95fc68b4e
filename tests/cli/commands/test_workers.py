"""`bullseye workers`."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import update

from storage.clock import utc
from storage.database import database_id, read, write
from storage.tables import chunk
from tests.cli.answers import UNIQUE
from tests.cli.conftest import EASY, Bullseye, Database
from tests.cli.progress.test_workers import take
from worker.queue.carrier import Carrier
from worker.queue.message import WorkerInfo


@pytest.fixture
def queue(database: Database) -> str:
    with read(database.engine) as connection:
        return f"bullseye-{database_id(connection)}"


def test_workers_of_all_batches_are_listed_with_state_chunk_rate_and_answers(
    bullseye: Bullseye, database: Database, redis: str, queue: str
) -> None:
    database.store([UNIQUE] * 600)  # by box-1
    with write(database.engine) as connection:
        connection.execute(update(chunk).values(taken_at=utc(30)))
    batch = database.store([], waiting=2)
    lease = take(database)  # by box-2
    with closing(Carrier.connect(redis, queue)) as carrier:
        for name in ("box-1", "box-2"):
            carrier.beat(name, WorkerInfo())
    result = bullseye("workers")
    assert result.code == 0
    assert [line.split() for line in result.out.splitlines()] == [
        ["worker", "state", "chunk", "rate", "answered"],
        ["box-1", "idle", "20/s", "600"],
        ["box-2", "busy", "batch", str(batch), "chunk", str(lease.chunk_id), "0"],
        ["redis:", "reachable"],
    ]


def test_a_killed_worker_is_listed_as_silent_even_without_redis(
    bullseye: Bullseye, database: Database
) -> None:
    batch = database.store([], waiting=1)
    lease = take(database)
    with write(database.engine) as connection:
        connection.execute(update(chunk).values(taken_at=utc(12)))
    _, line, redis = bullseye("workers").out.splitlines()
    assert line.startswith("box-2   silent 12.")
    assert line.split()[3:] == ["s", "batch", str(batch), "chunk", str(lease.chunk_id), "0"]
    assert redis == "redis: not reachable"


def test_a_stalled_worker_is_told_from_an_idle_one(
    bullseye: Bullseye, redis: str, queue: str
) -> None:
    with closing(Carrier.connect(redis, queue)) as carrier:
        carrier.beat("box-1", WorkerInfo())
        carrier.beat("box-2", WorkerInfo(consumed=15.0, stalled=True))
        listed = bullseye("workers").out.splitlines()
        found = bullseye("doctor").out
        for name in ("box-1", "box-2"):
            carrier.leave(name)
    assert [line.split()[:2] for line in listed[1:3]] == [["box-1", "idle"], ["box-2", "stalled"]]
    assert "2 running: box-1 (idle), box-2 (stalled)" in found
    assert "warn  workers   box-2 has consumed nothing for 15 s although chunks wait" in found


@pytest.mark.attack
def test_a_worker_of_a_release_with_one_more_field_is_listed_and_named(
    bullseye: Bullseye, redis: str, queue: str, home: Path
) -> None:
    (home / "one.txt").write_text(EASY)
    with closing(Carrier.connect(redis, queue)) as carrier:
        carrier.beat("box-1", WorkerInfo())
        info = {"version": 2, "release": "9.9.0", "busy": 1, "mood": "good"}
        carrier.client.set(f"{queue}:worker:box-1", json.dumps(info))
        listed, submitted, found = (
            bullseye(*arguments) for arguments in (["workers"], ["submit", "one.txt"], ["doctor"])
        )
        carrier.leave("box-1")
    assert listed.out.splitlines()[1].split()[:2] == ["box-1", "idle"]
    assert (listed.code, submitted.code, submitted.err) == (0, 0, "")
    assert "box-1 runs Bullseye 9.9.0, this is " in found.out


def test_long_names_are_cut_to_the_terminal(
    bullseye: Bullseye, database: Database, redis: str, queue: str
) -> None:
    database.store([], waiting=1)
    take(database)
    with closing(Carrier.connect(redis, queue)) as carrier:
        carrier.beat(
            "bullseye-4194304@a-machine-with-a-long-name.in-a-long-domain.example.org", WorkerInfo()
        )
    lines = bullseye("workers").out.splitlines()
    assert max(map(len, lines)) == 80
    assert lines[2].startswith("bullseye-4194304@a-machine-")
    assert "…  idle" in lines[2]


def test_json_has_a_value_for_each_worker(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    batch = database.store([], waiting=1)
    lease = take(database)
    values = json.loads(bullseye("workers", "--json").out)
    assert values["redis"] == "reachable"
    (worker,) = values["workers"]
    assert (worker["worker"], worker["state"]) == ("box-2", "busy")
    assert (worker["batch"], worker["chunk"], worker["chunks"]) == (batch, lease.chunk_id, 1)
    assert (worker["rate"], worker["answered"]) == (None, 0)


def test_without_workers_the_command_says_how_to_start_one(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    assert bullseye("workers").out == (
        "no worker is running; start one with: bullseye worker\nredis: reachable\n"
    )

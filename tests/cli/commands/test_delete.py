"""`bullseye delete` and `bullseye prune` on a real database and a real Redis."""

import re
from contextlib import closing

import pytest
from redis import Redis
from sqlalchemy import update

from storage.clock import utc
from storage.database import database_id, read, write
from storage.outbox import publishing
from storage.tables import batch
from tests.cli.answers import NONE, PUZZLE, UNIQUE
from tests.cli.conftest import Bullseye, Database, Result
from tests.cli.terminal import run_at_keyboard

DAY_SECONDS = 86400.0


def make_older(database: Database, days: int, *batches: int) -> None:
    with write(database.engine) as connection:
        created = {"created_at": utc(days * DAY_SECONDS)}
        connection.execute(update(batch).where(batch.c.id.in_(batches)).values(created))


def batches_left(bullseye: Bullseye) -> list[str]:
    return bullseye("query", "SELECT id FROM batch ORDER BY id", "-f", "csv").out.split()[1:]


def test_a_batch_is_deleted_with_its_answers(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE, NONE], name="sunday")
    database.store([UNIQUE])
    assert bullseye("delete", "sunday", "--yes") == Result(
        0, "", "deleted batch 1 sunday · 2 answers · about 323 bytes\n"
    )
    assert batches_left(bullseye) == ["2"]
    assert bullseye("results", "--count").out == "1\n"
    assert "there is no batch 1" in bullseye("delete", 1, "--yes").err


def test_without_a_terminal_nothing_is_deleted_unasked(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE])
    for command in (["delete", 1], ["prune", "--older-than", "0h"]):
        result = bullseye(*command)
        assert result.code == 2
        assert "without a terminal, add --yes" in result.err
    assert batches_left(bullseye) == ["1"]


@pytest.mark.parametrize(
    ("typed", "last", "left"),
    [
        ("y\n", "deleted batch 1 · 1 answer · about 202 bytes\n", []),
        ("\n", "nothing was deleted\n", ["1"]),
    ],
)
def test_on_a_terminal_deleting_is_confirmed(
    bullseye: Bullseye, database: Database, typed: str, last: str, left: list[str]
) -> None:
    database.store([UNIQUE])
    code, text = run_at_keyboard("delete", 1, typed=typed)
    assert code == 0
    assert "batch 1 · 1 answer · about 202 bytes\ndelete 1 batch? [y/N]: " in text
    assert text.endswith(last)
    assert batches_left(bullseye) == left


def test_an_unfinished_batch_must_be_cancelled_first(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE], waiting=1)
    result = bullseye("delete", 1, "--yes")
    assert result == Result(
        2, "", "error: batch 1 is not finished: cancel it first with bullseye cancel 1\n"
    )
    bullseye("cancel", 1)
    assert bullseye("delete", 1, "--yes").code == 0
    assert batches_left(bullseye) == []


def test_nothing_of_a_deleted_batch_is_left_in_redis(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    with read(database.engine) as connection:
        queue = f"bullseye-{database_id(connection)}"
    kept, deleted = bullseye("submit", PUZZLE).out.strip(), bullseye("submit", PUZZLE).out.strip()
    with closing(Redis.from_url(redis, decode_responses=True)) as client:
        assert client.llen(queue) == 2
        bullseye("cancel", deleted)
        assert bullseye("delete", deleted, "--yes").code == 0
        assert (client.llen(queue), len(client.keys(f"{queue}:chunk:*"))) == (1, 1)
        bullseye("cancel", kept)
        assert bullseye("delete", kept, "--yes").code == 0
        assert client.keys(f"{queue}*") == []


def test_an_interrupted_solve_is_deleted_without_redis(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE], waiting=1, queue="solve-7")
    with write(database.engine) as connection:
        publishing.claim_new(connection, "solve-7", 1 << 20)
    bullseye("cancel", 1)
    assert bullseye("delete", 1, "--yes") == Result(
        0, "", "deleted batch 1 · 1 answer · about 202 bytes\n"
    )


def test_without_redis_a_batch_is_deleted_with_a_warning(bullseye: Bullseye, redis: str) -> None:
    bullseye("submit", PUZZLE)
    bullseye("cancel", 1)
    result = bullseye("delete", 1, "--yes", "--redis", "redis://127.0.0.1:1/0")
    assert result.code == 0
    assert "warning: cannot reach Redis at 127.0.0.1:1" in result.err
    assert "up to 1 message there will be ignored by the workers" in result.err
    assert batches_left(bullseye) == []


def test_prune_deletes_what_is_old_and_finished(bullseye: Bullseye, database: Database) -> None:
    for waiting in (0, 0, 0, 1):
        database.store([UNIQUE], waiting=waiting)
    make_older(database, 40, 1, 4)
    make_older(database, 20, 2)
    assert bullseye("prune", "--older-than", "7w", "--yes").err == "no finished batch is that old\n"
    listed = "kept, because not finished: batch 4\nbatch 1 · 1 answer · about 202 bytes\n"
    assert bullseye("prune", "--older-than", "30d", "--dry-run") == Result(0, "", listed)
    assert bullseye("prune", "--older-than", "720h", "--yes").code == 0
    assert batches_left(bullseye) == ["2", "3", "4"]
    assert bullseye("prune", "--older-than", "2w", "--yes").code == 0
    assert batches_left(bullseye) == ["3", "4"]


@pytest.mark.parametrize("age", ["soon", "", "30", "d", "-1d", "1.5d", "30 d", "9999999d"])
def test_an_age_is_a_number_with_a_unit(bullseye: Bullseye, database: Database, age: str) -> None:
    result = bullseye("prune", "--older-than", age)
    assert result.code == 2
    assert "is not an age: write 12h, 30d or 8w." in result.err


def test_the_vacuum_returns_the_space_to_the_file_system(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE] * 3000)
    bullseye("delete", 1, "--yes")
    result = bullseye("prune", "--older-than", "1d", "--vacuum")
    assert result.code == 0
    pattern = r"database: ([\d.]+) kB before, ([\d.]+) kB after the vacuum\n"
    sizes = re.fullmatch(f"no finished batch is that old\n{pattern}", result.err)
    assert sizes is not None
    assert float(sizes[2]) < float(sizes[1]) / 2

"""`bullseye metrics`, read by Prometheus's own parser."""

import re
import signal
import socket
from contextlib import closing
from urllib.request import Request, urlopen

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families
from sqlalchemy import update

from storage.clock import utc
from storage.database import database_id, read, write
from storage.queries.metrics import FULL_SECONDS
from storage.tables import batch, chunk
from tests.cli.answers import NONE, UNIQUE
from tests.cli.conftest import Bullseye, Database, start_process
from tests.cli.progress.test_workers import take
from tests.readme.reading import ROOT, section, table
from worker.queue.carrier import Carrier
from worker.queue.message import WorkerInfo

OPERATIONS = ROOT / "docs" / "operations.md"

Samples = dict[str, float]


def parsed(text: str) -> Samples:
    """Return the samples by name and value of their label, without those that are 0."""
    return {
        " ".join([sample.name.removeprefix("bullseye_"), *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)  # type: ignore[no-untyped-call]
        for sample in family.samples
        if sample.value
    }


def test_the_page_about_operation_names_every_metric(
    bullseye: Bullseye, database: Database
) -> None:
    listed = [row[0] for row in table(section(OPERATIONS.read_text(), "Metrics"))]
    families = re.findall(r"^# TYPE (\S+) (\S+)$", bullseye("metrics").out, re.MULTILINE)
    assert [f"`{name}`" for name, _ in families] == listed[: len(families)]
    assert listed[len(families) :] == ["`bullseye_foreign_messages`"]  # which needs Redis


def metrics(bullseye: Bullseye) -> Samples:
    done = bullseye("metrics")
    assert (done.code, done.err) == (0, "")
    return parsed(done.out)


def test_an_empty_database_without_redis_has_no_figures(
    bullseye: Bullseye, database: Database
) -> None:
    assert metrics(bullseye) == {"database_up": 1}


def test_batches_answers_and_the_queue_are_counted(bullseye: Bullseye, database: Database) -> None:
    database.store([UNIQUE, UNIQUE, NONE])
    waiting = database.store([], waiting=4)
    with write(database.engine) as connection:
        old = update(batch).where(batch.c.id == waiting)
        connection.execute(old.values(created_at=utc(600)))
    found = metrics(bullseye)
    assert found.pop("oldest_seconds") == pytest.approx(600, abs=30)
    assert found.pop("answers_per_second") > 0
    assert found == {
        "database_up": 1,
        "batches complete": 1,
        "batches waiting": 1,
        "answers solved": 2,
        "answers none": 1,
        "chunks new": 1,
        "puzzles new": 4,
        "work_seconds": FULL_SECONDS,
    }


def test_workers_leases_and_foreign_messages_are_counted(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    database.store([], waiting=1)
    take(database)
    with write(database.engine) as connection:
        connection.execute(update(chunk).values(taken_at=utc(500)))
    with read(database.engine) as connection:
        queue = f"bullseye-{database_id(connection)}"
    with closing(Carrier.connect(redis, queue)) as carrier:
        carrier.beat("box-1", WorkerInfo())
        carrier.count_rejected()
        found = metrics(bullseye)
    expected = {"workers idle": 1, "workers silent": 1, "leases_expired": 1, "redis_up": 1}
    assert expected.items() <= found.items()
    assert found["foreign_messages_total"] == 1


def test_each_request_reads_the_metrics_again(database: Database) -> None:
    with start_process("metrics", "--listen", "0") as process:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        assert parsed(fetched(address)) == {"database_up": 1}
        database.store([UNIQUE])
        assert parsed(fetched(address))["answers solved"] == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 143


def test_a_database_that_fails_is_reported_until_it_can_be_read_again(
    database: Database,
) -> None:
    with start_process("metrics", "--listen", "localhost:0") as process:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]
        moved = database.path.rename(database.path.with_suffix(".moved"))
        assert "database_up" not in parsed(fetched(address))
        moved.rename(database.path)
        assert parsed(fetched(address)) == {"database_up": 1}
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 130


def fetched(address: str) -> str:
    """Return what Prometheus would get."""
    accepted = {"Accept": "application/openmetrics-text; version=1.0.0"}
    with urlopen(Request(address, headers=accepted)) as answer:
        return str(answer.read().decode())


@pytest.mark.parametrize("address", ["", "http", "70000", "localhost:", "0x1", "1.5"])
def test_what_is_no_address_is_refused(bullseye: Bullseye, address: str) -> None:
    done = bullseye("metrics", "--listen", address)
    assert done.code == 2
    assert f"{address!r} is not a port, such as 9464 or 0.0.0.0:9464." in done.err


def test_a_port_that_is_taken_is_named(bullseye: Bullseye, database: Database) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = bullseye("metrics", "--listen", other.getsockname()[1])
    assert done.code == 2
    assert "cannot listen on 127.0.0.1:" in done.err
    assert "Address already in use" in done.err

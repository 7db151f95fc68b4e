import gc
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from celery import signals
from sqlalchemy import Engine

from storage.database import read
from storage.outbox import leases
from tests import schemas
from tests.end_to_end.bullseye import ROOT
from worker import garbage, outages
from worker.app import kombu_url, worker_app
from worker.settings import Settings

IMPORT_ONLY = """
from celery import signals
import worker.app, worker.tasks
from worker.queue import inbox

used = ["after_setup_logger", "worker_init", "worker_process_init", "worker_shutting_down"]
connected = [name for name in used if getattr(signals, name).receivers]
assert not connected, connected
assert not inbox.rejected.receivers
"""


def test_importing_the_app_and_the_task_connects_no_signal_handler() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ONLY], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.usefixtures("collector")
def test_a_pool_process_of_a_worker_collects_garbage_rarely(settings: Settings) -> None:
    worker_app(settings)
    signals.worker_process_init.send(sender=None)
    assert gc.get_threshold()[0] == garbage.GENERATION_0_THRESHOLD


def test_a_worker_logs_once_that_it_upgrades_the_database(
    settings: Settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    schemas.load(tmp_path / "old.db", "0001")
    worker_app(replace(settings, database_url=f"sqlite:///{tmp_path}/old.db"))
    assert caplog.messages == ["upgrading the database"]


def test_a_worker_that_is_told_how_long_leases_last_tells_all(
    settings: Settings, engine: Engine
) -> None:
    worker_app(replace(settings, lease=40.0))
    worker_app(settings)
    with read(engine) as connection:
        assert leases.seconds(connection, settings.queue) == 40.0


def test_a_shutdown_by_celery_asks_the_pool_for_its_chunks(settings: Settings) -> None:
    worker_app(settings)
    assert not outages.is_ending()
    signals.worker_shutting_down.send(sender=None)
    assert outages.is_ending()


@pytest.mark.parametrize(
    ("url", "kombus"),
    [
        ("redis://:secret@host:6379/1", "redis://:secret@host:6379/1"),
        ("unix:///tmp/redis.sock", "redis+socket:///tmp/redis.sock"),
        ("unix:///tmp/redis.sock?db=2", "redis+socket:///tmp/redis.sock?virtual_host=2"),
    ],
)
def test_a_redis_url_is_translated_for_kombu(url: str, kombus: str) -> None:
    assert kombu_url(url) == kombus

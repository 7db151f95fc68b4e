"""A database that is locked, read-only, full or restarting: workers wait and log the reason."""

import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import pytest

from tests import services
from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import assert_sound, submit


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    """Contexts that end with the test."""
    with ExitStack() as stack:
        yield stack


def log(bullseye: Bullseye) -> str:
    """The logs of all workers."""
    return "".join(file.read_text() for file in bullseye.folder.glob("worker-*.log"))


def logged(bullseye: Bullseye, words: str) -> Callable[[], bool]:
    return lambda: words in log(bullseye)


def assert_no_traceback(bullseye: Bullseye) -> None:
    assert "Traceback" not in log(bullseye), log(bullseye)


@pytest.mark.parametrize("seconds", [3, pytest.param(40, marks=pytest.mark.soak)])
def test_workers_wait_for_a_locked_database(bullseye: Bullseye, seconds: float) -> None:
    load = submit(bullseye, 60, 1500)
    with bullseye.worker(2):
        eventually(lambda: load.answered() > 0)
        with closing(sqlite3.connect(bullseye.database, timeout=30)) as other:
            other.execute("BEGIN IMMEDIATE")
            before = load.answered()
            time.sleep(seconds)
            if seconds > 30:  # SQLite counts its pauses, which are longer on a busy machine
                eventually(logged(bullseye, "is locked by another program"), 120)
            assert load.answered() == before
            other.rollback()
        load.assert_complete()
    assert_no_traceback(bullseye)
    assert ("is locked by another program" in log(bullseye)) == (seconds > 30)


@pytest.mark.soak
def test_workers_wait_for_a_read_only_database(bullseye: Bullseye, stack: ExitStack) -> None:
    file = bullseye.folder / "data" / "bullseye.db"
    bullseye.settings["BULLSEYE_DATABASE_URL"] = str(file)
    load = submit(bullseye, 61, 300)
    # A reader keeps the -wal and -shm files, which a read-only connection needs.
    with closing(sqlite3.connect(file)) as reader:
        reader.execute("SELECT count(*) FROM batch").fetchall()
        with read_only([file.parent, *file.parent.iterdir()]):
            stack.enter_context(bullseye.unprivileged().worker(2))
            eventually(logged(bullseye, "it or its folder is read-only; retrying"))
            assert load.answered() == 0
        load.assert_complete()
    assert_no_traceback(bullseye)


@contextmanager
def read_only(paths: list[Path]) -> Iterator[None]:
    modes = [path.stat().st_mode for path in paths]
    for path, mode in zip(paths, modes, strict=True):
        path.chmod(mode & ~0o222)
    yield
    for path, mode in zip(paths, modes, strict=True):
        path.chmod(mode)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of sixteen megabytes, less than the log that SQLite keeps."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting a file system is not permitted")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(filler: Path) -> None:
    """Write until the disk is full."""
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))


def test_workers_wait_for_a_full_disk(bullseye: Bullseye, small_disk: Path) -> None:
    bullseye.settings["BULLSEYE_DATABASE_URL"] = str(small_disk / "bullseye.db")
    load = submit(bullseye, 62, 1500)
    filler = small_disk / "filler"
    with bullseye.worker(2):
        eventually(lambda: load.answered() > 0)
        fill(filler)
        database = small_disk / "bullseye.db"
        eventually(logged(bullseye, f"no disk space left for {database}: free some"))
        eventually(logged(bullseye, "; retrying"))
        assert not load.complete()
        filler.unlink()
        load.assert_complete()
    assert_no_traceback(bullseye)


def test_a_worker_does_not_start_on_a_full_disk(bullseye: Bullseye, small_disk: Path) -> None:
    bullseye.settings["BULLSEYE_DATABASE_URL"] = str(small_disk / "bullseye.db")
    submit(bullseye, 62, 10)
    fill(small_disk / "filler")
    refused = bullseye.run("worker")
    assert refused.returncode == 69
    assert f"no disk space left for {small_disk / 'bullseye.db'}: free some" in refused.stderr


@pytest.mark.parametrize("seconds", [2, pytest.param(40, marks=pytest.mark.soak)])
def test_workers_wait_for_a_postgresql_that_restarts(bullseye: Bullseye, seconds: float) -> None:
    programs = services.find_postgresql() or services.missing("postgresql")
    with services.postgresql(programs) as server:
        bullseye.settings["BULLSEYE_DATABASE_URL"] = server.url
        load = submit(bullseye, 63, 1500)
        with bullseye.worker(2):
            eventually(lambda: load.answered() > 0)
            server.stop()
            time.sleep(seconds)
            server.start()
            load.assert_complete()
        assert_sound(bullseye)
    assert "cannot reach the database" in log(bullseye)
    assert services.PASSWORD not in log(bullseye)
    assert_no_traceback(bullseye)

"""The database: is it there, may it be written, is there room, and does its work go on?"""

import os
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from cli.database import place
from cli.doctor.finding import Finding
from cli.errors import Exit
from cli.formatting import count
from storage.clock import since_epoch
from storage.database import read, write
from storage.errors import (
    DatabaseMissing,
    DatabaseOutdated,
    DatabaseTooNew,
    DatabaseUnreachable,
    StorageError,
)
from storage.queries import health
from storage.tables import REVISION
from worker.settings import Settings

#: bytes free on the disk of an SQLite file: a batch of 100,000 sudokus; ten million
LITTLE, ENOUGH = 64 << 20, 4 << 30
#: seconds that two clocks may differ; only logs suffer from more
SKEW = 5.0


def of(settings: Settings, engine: Engine) -> Iterator[Finding]:
    """What is to be said of a database that opens."""
    try:
        with write(engine):
            yield Finding.well("database", f"{place(settings)}, writable, schema {REVISION}")
    except StorageError as error:
        yield Finding.of_error("database", error, Exit.SOME_FAILED)
    if engine.dialect.name == "sqlite":
        yield _disk(Path(engine.url.database or ""))
    else:
        yield _clock(engine)
    yield _chunks(settings, engine)


def of_none(settings: Settings, error: StorageError) -> Finding:
    """What is to be said of one that does not."""
    if isinstance(error, DatabaseMissing):
        return _not_there_yet(settings)
    if isinstance(error, DatabaseOutdated):
        found = Finding.of_error("database", error, Exit.UNREACHABLE)
        return replace(found, state="warn", exit=Exit.DONE)
    unreachable = isinstance(error, (DatabaseUnreachable, DatabaseTooNew))
    return Finding.of_error(
        "database", error, Exit.UNREACHABLE if unreachable else Exit.SOME_FAILED
    )


def _not_there_yet(settings: Settings) -> Finding:
    """The first solve or submit makes it, if it may."""
    path = make_url(settings.database_url).database
    folder = next((p for p in Path(path or ".").absolute().parents if p.exists()), Path("/"))
    where = place(settings)
    if os.access(folder, os.W_OK):
        return Finding.doubtful("database", f"{where} is not there yet", "the first solve makes it")
    return Finding.ill(
        "database",
        f"{where} cannot be made: {folder} is not writable",
        "give another place with --db or BULLSEYE_DATABASE_URL",
    )


def _disk(file: Path) -> Finding:
    free = shutil.disk_usage(file.parent).free
    found = f"{free / 1e9:.1f} GB free beside {file}"
    cure = "make room, or move the file and name it in BULLSEYE_DATABASE_URL"
    if free < LITTLE:
        return Finding.ill("disk", found, cure)
    return Finding.well("disk", found) if free > ENOUGH else Finding.doubtful("disk", found, cure)


def _clock(engine: Engine) -> Finding:
    """Ours against that of a server."""
    with read(engine) as connection:
        ahead = time.time() - since_epoch(connection)
    return clock("clock", ahead, "this machine's clock", "the database's")


def clock(name: str, ahead: float, whose: str, than: str) -> Finding:
    """A clock that is `ahead` of another by so many seconds."""
    if abs(ahead) < SKEW:
        return Finding.well(name, f"{whose} agrees with {than}")
    found = f"{whose} is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} {than}"
    return Finding.doubtful(name, found, "timedatectl set-ntp true")


def _chunks(settings: Settings, engine: Engine) -> Finding:
    """A chunk that nobody renews is taken up by the next sweep; there must be one."""
    with read(engine) as connection:
        stuck = health.expired_leases(connection, 2 * settings.lease)
    if not stuck:
        return Finding.well("chunks", "none is stuck")
    total, batches = sum(stuck.values()), ", ".join(map(str, stuck))
    return Finding.doubtful(
        "chunks",
        f"{count(total, 'chunk')} of batch {batches} not renewed for {2 * settings.lease:g} s",
        "bullseye worker (any worker sweeps them up)",
    )

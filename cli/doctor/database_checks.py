"""Checks of the database: tables, write access, disk, clock, leases, totals, and its answers."""

import importlib.util
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, Engine
from sqlalchemy.engine import make_url

from cli.doctor.finding import Finding
from cli.errors import Exit
from cli.formatting import count
from storage import batches
from storage.archive import catalogue
from storage.batches import Batch
from storage.clock import since_epoch
from storage.database import display_name, read, write
from storage.errors import (
    DatabaseMissing,
    DatabaseOutdated,
    DatabaseTooNew,
    DatabaseUnreachable,
    InvalidDatabaseUrl,
    StorageError,
)
from storage.outbox import leases
from storage.queries import health
from storage.tables import REVISION
from worker.queue.dispatch import queue_of
from worker.settings import Settings

#: bytes free beside an SQLite file below which the check fails: room for 100,000 sudokus
MIN_FREE_BYTES = 64 << 20
#: bytes free below which the check warns: room for ten million sudokus
AMPLE_FREE_BYTES = 4 << 30
#: puzzles with wrong totals that are named
MAX_NAMED_PUZZLES = 10
#: seconds that two clocks may differ without a warning; only logs suffer from more
MAX_SKEW_SECONDS = 5.0
#: faults that are listed
MAX_FAULTS = 10
REMEDY = "keep a copy of the database, and report this with the version and what happened before"


def check_database(settings: Settings, engine: Engine) -> Iterator[Finding]:
    """Yield the findings about a database that could be opened."""
    try:
        with write(engine) as connection:
            health.check_writing(connection)
        yield Finding.ok(
            "database", f"{display_name(settings.database_url)}, writable, schema {REVISION}"
        )
    except StorageError as error:
        yield Finding.of_error("database", error, Exit.SOME_FAILED)
    queue = queue_of(settings, engine)
    with read(engine) as connection:
        if engine.dialect.name == "sqlite":
            folder = Path(engine.url.database or "").parent
            yield check_disk(folder, shutil.disk_usage(folder).free)
        else:
            ahead = time.time() - since_epoch(connection)
            yield check_clock("this machine's clock", "the database's", ahead)
            yield from _check_role(connection)
        yield _check_chunks(connection, queue)
        yield _check_searches(connection)
        yield _check_answers(connection)
        yield from _check_archive(connection)


def unusable(settings: Settings, error: StorageError) -> Finding:
    """Return the finding about a database that could not be opened."""
    if isinstance(error, DatabaseMissing):
        return _missing(settings)
    if isinstance(error, DatabaseOutdated):
        found = Finding.of_error("database", error, Exit.DONE)
        return replace(found, state="warn")  # the next command that writes upgrades it
    unreachable = isinstance(error, DatabaseUnreachable | DatabaseTooNew | InvalidDatabaseUrl)
    return Finding.of_error(
        "database", error, Exit.UNREACHABLE if unreachable else Exit.SOME_FAILED
    )


def _missing(settings: Settings) -> Finding:
    path = make_url(settings.database_url).database
    folder = next((p for p in Path(path or ".").absolute().parents if p.exists()), Path("/"))
    where = display_name(settings.database_url)
    if os.access(folder, os.W_OK):
        return Finding.warn("database", f"{where} does not exist yet", "the first solve creates it")
    return Finding.fail(
        "database",
        f"{where} cannot be created: {folder} is not writable",
        "choose another location with --db or BULLSEYE_DATABASE_URL",
    )


def check_disk(folder: Path, free_bytes: int) -> Finding:
    """Return the finding about the free space on the disk of an SQLite file."""
    found = f"{free_bytes / 1e9:.1f} GB free in {folder}"
    fix = "free some space, or move the file and set BULLSEYE_DATABASE_URL"
    if free_bytes < MIN_FREE_BYTES:
        return Finding.fail("disk", found, fix)
    if free_bytes < AMPLE_FREE_BYTES:
        return Finding.warn("disk", found, fix)
    return Finding.ok("disk", found)


def _check_role(connection: Connection) -> Iterator[Finding]:
    """Yield the finding about a role that needs fewer rights."""
    if name := health.superuser(connection):
        found = f"{name} is a superuser, whom the server lets read and write its files"
        yield Finding.warn("role", found, "let a role without these rights own the database")


def check_clock(clock: str, reference: str, ahead_seconds: float) -> Finding:
    """Return the finding about a clock that is ahead of a reference (or behind, if negative)."""
    if abs(ahead_seconds) < MAX_SKEW_SECONDS:
        return Finding.ok("clock", f"{clock} agrees with {reference}")
    side = "ahead of" if ahead_seconds > 0 else "behind"
    found = f"{clock} is {abs(ahead_seconds):.0f} s {side} {reference}"
    return Finding.warn("clock", found, "timedatectl set-ntp true")


def _check_chunks(connection: Connection, queue: str) -> Finding:
    """Return the finding about chunks that wait for a sweep because their leases expired."""
    seconds = 2 * leases.seconds(connection, queue)
    expired = health.expired_leases(connection, seconds)
    if not expired:
        return Finding.ok("chunks", "no expired lease")
    total, batches = sum(expired.values()), ", ".join(map(str, expired))
    return Finding.warn(
        "chunks",
        f"{count(total, 'chunk')} of batch {batches} not renewed for {seconds:g} s",
        "bullseye worker (any worker publishes them again)",
    )


def _check_searches(connection: Connection) -> Finding:
    """Return the finding about the totals of searches that were divided into parts."""
    wrong = health.wrong_totals(connection)
    if not wrong:
        return Finding.ok("searches", "all totals equal the sums over their parts")
    named = ", ".join(map(str, wrong[:MAX_NAMED_PUZZLES]))
    further = f" and {len(wrong) - MAX_NAMED_PUZZLES:,} more" if wrong[MAX_NAMED_PUZZLES:] else ""
    number = count(len(wrong), "search", "searches")
    return Finding.fail(
        "searches",
        f"the totals of {number} are not the sums over the parts: puzzle {named}{further}",
        "submit such a puzzle again, without --reuse; do not use its answer",
    )


def _check_answers(connection: Connection) -> Finding:
    """Return the finding about answers that were wrong, and therefore stored as `failed`."""
    refused = health.refused_answers(connection)
    if not refused:
        return Finding.ok("answers", "no answer failed its check before it was stored")
    total, batches = sum(refused.values()), ", ".join(map(str, refused))
    return Finding.fail(
        "answers",
        f"the solver returned {count(total, 'wrong answer')} in batch {batches}, stored as failed",
        f"bullseye results {next(iter(refused))} --status failed shows what is wrong; "
        "check the memory of that machine, then bullseye retry",
    )


def _check_archive(connection: Connection) -> Iterator[Finding]:
    """Yield the finding about the files of archived batches, if there are any."""
    files = catalogue.of_puzzles(connection)
    if not files:
        return
    if paths := list(catalogue.missing(files)):
        further = f" and {len(paths) - 1:,} more" if paths[1:] else ""
        found = f"missing, or of another size: {paths[0]}{further}"
        yield Finding.fail("archive", found, "restore it from a copy")
    else:
        yield Finding.ok("archive", f"{count(len(files), 'file')} there, with the recorded sizes")


def check_all_answers(engine: Engine) -> Iterator[Finding]:
    """Yield the findings about the answers of all batches, and about their summaries."""
    with read(engine) as connection:
        all_batches = batches.newest(connection, being_stored=True)
        ready = [one for one in reversed(all_batches) if one.ready]
        archived = [one for one in ready if catalogue.of_batch(connection, one.id)]
        stored = [one for one in ready if one not in archived]
        faults = _named(health.faults, connection, stored)
        if archived:
            yield from _check_archived(connection, archived)
    fine = f"each of {_described(stored)} has one answer or waits for it; summaries equal a scan"
    yield from _of_faults("integrity", faults, REMEDY, fine)


def _check_archived(connection: Connection, archived: Sequence[Batch]) -> Iterator[Finding]:
    if importlib.util.find_spec("pyarrow") is None:
        yield Finding.warn("archive", "files are not read without pyarrow", catalogue.REMEDY)
        return
    from storage.export import archiving

    faults = _named(archiving.faults, connection, archived)
    fine = f"the files of {_described(archived)} have their checksums"
    yield from _of_faults("archive", faults, "restore the file from a copy", fine)


def _named(
    check: Callable[[Connection, Batch], Iterator[str]],
    connection: Connection,
    some: Sequence[Batch],
) -> list[str]:
    return [f"batch {one.id}: {fault}" for one in some for fault in check(connection, one)]


def _of_faults(name: str, faults: Sequence[str], remedy: str, fine: str) -> Iterator[Finding]:
    for fault in faults[:MAX_FAULTS]:
        yield Finding.fail(name, fault, remedy)
    if not faults:
        yield Finding.ok(name, fine)


def _described(some: Sequence[Batch]) -> str:
    puzzles, number = sum(one.puzzles for one in some), count(len(some), "batch", "batches")
    return f"{count(puzzles, 'puzzle')} in {number}"

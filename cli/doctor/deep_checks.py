"""The checks of `bullseye doctor --deep`, which read all answers."""

import importlib.util
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Engine

from cli.doctor.finding import Finding
from cli.formatting import count
from storage import batches
from storage.archive import attach, catalogue
from storage.batches import Batch
from storage.database import read
from storage.queries import integrity

RESTORE = "restore the file from a copy"
#: faults that are listed
MAX_FAULTS = 10
REMEDY = "keep a copy of the database, and report this with the version and what happened before"


def check_answers(engine: Engine) -> Iterator[Finding]:
    """Yield the findings about the answers of all batches, and about their summaries."""
    with read(engine) as connection:
        all_batches = batches.newest(connection, being_stored=True)
        ready = [one for one in reversed(all_batches) if one.ready]
        archived = [one for one in ready if catalogue.of_batch(connection, one.id)]
        stored = [one for one in ready if one not in archived]
        faults = [fault for one in stored for fault in integrity.faults(connection, one)]
        if archived:
            yield from _check_archived(connection, archived)
    for fault in faults[:MAX_FAULTS]:
        yield Finding.fail("integrity", f"batch {fault.batch}: {fault.found}", REMEDY)
    if faults:
        return
    yield Finding.ok(
        "integrity",
        f"each of {_described(stored)} has one answer or waits for it; summaries equal a scan",
    )


def _check_archived(connection: Connection, archived: Sequence[Batch]) -> Iterator[Finding]:
    if importlib.util.find_spec("pyarrow") is None:
        yield Finding.warn("archive", "files are not read without pyarrow", attach.REMEDY)
        return
    from storage.export import archiving

    faults = [fault for one in archived for fault in archiving.faults(connection, one)]
    for fault in faults[:MAX_FAULTS]:
        yield Finding.fail("archive", f"batch {fault.batch}: {fault.found}", RESTORE)
    if not faults:
        yield Finding.ok("archive", f"the files of {_described(archived)} have their checksums")


def _described(some: Sequence[Batch]) -> str:
    puzzles, number = sum(one.puzzles for one in some), count(len(some), "batch", "batches")
    return f"{count(puzzles, 'puzzle')} in {number}"

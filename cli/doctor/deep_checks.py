"""The checks of `bullseye doctor --deep`, which read all answers."""

from collections.abc import Iterator

from sqlalchemy import Engine

from cli.doctor.finding import Finding
from cli.formatting import count
from storage import batches
from storage.database import read
from storage.queries import integrity

#: faults that are listed
MAX_FAULTS = 10
REMEDY = "keep a copy of the database, and report this with the version and what happened before"


def check_answers(engine: Engine) -> Iterator[Finding]:
    """Yield the findings about the answers of all batches, and about their summaries."""
    with read(engine) as connection:
        all_batches = batches.newest(connection, being_stored=True)
        ready = [one for one in reversed(all_batches) if one.ready]
        faults = [fault for one in ready for fault in integrity.faults(connection, one)]
    for fault in faults[:MAX_FAULTS]:
        yield Finding.fail("integrity", f"batch {fault.batch}: {fault.found}", REMEDY)
    if faults:
        return
    puzzles, number = sum(one.puzzles for one in ready), count(len(ready), "batch", "batches")
    yield Finding.ok(
        "integrity",
        f"each of {count(puzzles, 'puzzle')} in {number} has one answer or waits for it; "
        "summaries equal a scan",
    )

"""Several processes publish, take and complete chunks at once."""

import subprocess
import sys
from pathlib import Path

import storage
from storage.database import read
from storage.queries.progress import read_progress
from tests.storage.harness import Harness

ROOT = Path(storage.__file__).parent.parent
PROCESSES = 4
#: the program of one process: completes chunks until none is left, and prints how many
_WORK = """
import sys
from storage.database import open_database, write
from storage.outbox import leases, publishing
from storage.packing import digest
from storage.values import Answers
from tests.storage.harness import QUEUE, answers_to

engine, name = open_database(sys.argv[1]), sys.argv[2]
finished = 0
while True:
    with write(engine) as connection:
        published = publishing.claim_new(connection, QUEUE, 1 << 20, most=2)
    if not published:
        break
    for one in published:
        with write(engine) as connection:
            lease = leases.take(connection, one.id, name, digest(one.puzzles))
        assert lease
        found = Answers.of(answers_to(one))
        with write(engine) as connection:
            assert leases.store_answers(connection, lease, found, name, done=True)
        with write(engine) as connection:
            assert not leases.store_answers(connection, lease, found, name, done=True)
        finished += 1
print(finished)
"""


def test_four_processes_write_at_once_and_none_finds_the_database_locked(
    harness: Harness,
) -> None:
    url = harness.engine.url.render_as_string(hide_password=False)
    batch = harness.submit(*[5] * 200)
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", _WORK, url, f"box-{number}"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for number in range(PROCESSES)
    ]
    output = [worker.communicate(timeout=120) for worker in workers]
    assert [error for _, error in output] == [""] * PROCESSES
    assert sum(int(out) for out, _ in output) == 200
    with read(harness.engine) as connection:
        progress = read_progress(connection, batch.id, tally=True)
    assert progress.answered == progress.by_status["solved"] == 1000
    assert sum(share.puzzles for share in progress.workers) == 1000

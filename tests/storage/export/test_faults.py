"""Archiving that is interrupted anywhere loses nothing, and is completed by a second run."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

import storage
from storage.database import read
from storage.export import archiving
from storage.queries.answers import select_answers
from tests.storage.harness import Harness, answer_to, puzzles_of

#: archives batch 1, but kills itself at the first event of `sys.audit` with a name and an argument,
#: or at the first SQL statement with these words
_KILLED = """
import os, signal, sys
from pathlib import Path
from sqlalchemy import event
from storage.export import archiving
from storage.database import open_database
url, folder, wanted, words = sys.argv[1:]
def die():
    os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(lambda name, given: die() if name == wanted and words in repr(given) else None)
engine = open_database(url)
if wanted == "statement":
    @event.listens_for(engine, "before_cursor_execute")
    def stop(_c, _u, statement, *_):
        if statement.startswith(words):
            die()
if wanted == "commit":
    event.listen(engine, "commit", lambda connection: die()
        if connection.get_execution_options().get("write") else None)
archiving.archive(engine, 1, Path(folder))
"""
#: the moments at which the process is killed: while it writes, before and after the files appear,
#: and in the transaction that deletes the rows
MOMENTS = (
    ("open", "answers-1.parquet"),
    ("os.rename", "batch-1"),
    ("statement", "DELETE FROM answer"),
    ("statement", "INSERT INTO archive"),
    ("commit", ""),
)
ROOT = Path(storage.__file__).parent.parent


def solved(harness: Harness) -> None:
    harness.submit(4)
    for one in harness.claim_new():
        assert harness.store_answers(
            harness.must_take(one.id), [answer_to(puzzle) for puzzle in puzzles_of(one)]
        )


def rows(harness: Harness) -> list[tuple[Any, ...]]:
    with read(harness.engine, archived=True) as connection:
        return list(map(tuple, select_answers(connection, batch=1)))


@pytest.mark.parametrize(("wanted", "words"), MOMENTS)
def test_a_killed_process_loses_nothing(
    on_sqlite: Harness, tmp_path: Path, wanted: str, words: str
) -> None:
    solved(on_sqlite)
    before = rows(on_sqlite)
    url = str(on_sqlite.engine.url)
    command = [sys.executable, "-c", _KILLED, url, str(tmp_path), wanted, words]
    done = subprocess.run(
        command, check=False, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == -signal.SIGKILL
    assert rows(on_sqlite) == before
    made = archiving.archive(on_sqlite.engine, 1, tmp_path)
    assert rows(on_sqlite) == before
    assert [path.name for path in tmp_path.glob("*batch*")] == ["batch-1"]
    with read(on_sqlite.engine) as connection:
        assert list(archiving.faults(connection, made.batch)) == []


def test_a_fault_at_any_statement_loses_nothing(harness: Harness, tmp_path: Path) -> None:
    solved(harness)
    before = rows(harness)
    fail_at = number = 0

    def fail(_: Any, cursor: Any, *__: Any) -> None:
        nonlocal number
        number += 1
        if number == fail_at:
            cursor.close()
            raise KeyboardInterrupt

    archived = False
    while not archived:
        fail_at, number = fail_at + 1, 0
        event.listen(harness.engine, "before_cursor_execute", fail)
        try:
            archiving.archive(harness.engine, 1, tmp_path)
            archived = True
        except KeyboardInterrupt:
            pass
        event.remove(harness.engine, "before_cursor_execute", fail)
        assert rows(harness) == before
    assert fail_at > 20

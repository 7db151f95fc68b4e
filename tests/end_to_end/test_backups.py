"""Backups as docs/administration.md makes them, of a batch that is being solved."""

import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from tests import databases, services
from tests.end_to_end.bullseye import ROOT, Bullseye, eventually
from tests.end_to_end.load import QUICK, assert_sound, submit
from tests.readme.reading import blocks, section

PAGE = (ROOT / "docs" / "administration.md").read_text()


def test_workers_go_on_with_a_backup_that_was_made_while_they_solved(bullseye: Bullseye) -> None:
    bullseye.settings |= QUICK
    load = submit(bullseye, 1, 60)
    backup = bullseye.folder / "backup.db"
    with bullseye.worker():
        eventually(lambda: load.answered() > 0)
        with closing(sqlite3.connect(bullseye.database)) as connection:
            connection.execute(f"VACUUM INTO '{backup}'")
        load.assert_complete()
        bullseye.out("delete", load.batch, "--yes")
        for end in ("-wal", "-shm"):
            Path(f"{bullseye.database}{end}").unlink(missing_ok=True)
        backup.replace(bullseye.database)
        load.assert_complete()
    assert_sound(bullseye)


def test_a_dump_of_postgresql_is_restored_and_its_batch_completed(
    bullseye: Bullseye, postgresql_url: str
) -> None:
    programs = services.find_postgresql() or services.missing("postgresql")
    with databases.on_server(postgresql_url) as url:
        bullseye.settings |= QUICK | {"BULLSEYE_DATABASE_URL": url}
        load = submit(bullseye, 2, 20)
        (lines,) = (one.lines for one in blocks(section(PAGE, "Backups")) if one.language == "sh")
        dump, restore = lines
        run(bullseye, programs, url, dump)
        bullseye.run("cancel", load.batch)
        bullseye.out("delete", load.batch, "--yes")
        run(bullseye, programs, url, restore)
        with bullseye.worker():
            eventually(lambda: bullseye.out("results", load.batch, "--count") == "20\n")


def run(bullseye: Bullseye, programs: Path, url: str, command: str) -> None:
    """Run a command of the page."""
    env = {
        **os.environ,
        "PATH": f"{programs}:{os.environ['PATH']}",
        "URL": url.replace("+psycopg", ""),
    }
    subprocess.run(["/bin/sh", "-c", command], cwd=bullseye.folder, env=env, check=True)

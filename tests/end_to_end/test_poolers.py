"""PostgreSQL reached through PgBouncer, and a standby that commands read from."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from tests import databases
from tests.end_to_end.bullseye import ROOT, Bullseye, eventually
from tests.services import (
    PASSWORD,
    Postgresql,
    find_postgresql,
    free_port,
    missing,
    postgresql,
    unprivileged,
)
from worker.local.process_group import ProcessGroup

SUDOKUS = ROOT / "examples" / "sudoku.txt"
PUZZLES = 400
SETTINGS = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {ours}
unix_socket_dir =
auth_type = plain
auth_file = {users}
pool_mode = {mode}
default_pool_size = {size}
"""


@contextmanager
def pgbouncer(home: ProcessGroup, server: str, mode: str, size: int) -> Iterator[str]:
    """Start a pooler with some sessions for the block; yield the URL of the database through it."""
    program = shutil.which("pgbouncer") or missing("pgbouncer")
    url, ours = make_url(server), free_port()
    users, settings = home.folder / "users", home.folder / "pgbouncer.ini"
    users.write_text(f'"postgres" "{PASSWORD}"\n')
    settings.write_text(
        SETTINGS.format(host=url.host, port=url.port, ours=ours, users=users, mode=mode, size=size)
    )
    user = unprivileged()
    home.folder.chmod(0o755)
    for file in (users, settings):
        if user:
            shutil.chown(file, user)
    through = url.set(port=ours)
    plain = through.set(drivername="postgresql").render_as_string(hide_password=False)
    with (home.folder / "pgbouncer.log").open("wb") as log:
        process = subprocess.Popen([program, settings], user=user, stdout=log, stderr=log)

    def accepts() -> bool:
        assert process.poll() is None, (home.folder / "pgbouncer.log").read_text()
        try:
            psycopg.connect(plain).close()
        except psycopg.OperationalError:
            return False
        return True

    try:
        eventually(accepts, 10)
        yield through.render_as_string(hide_password=False)
    finally:
        process.terminate()
        process.wait()


@contextmanager
def in_tokyo(database: str) -> Iterator[None]:
    """Let new sessions show times of Tokyo, unless they are told otherwise."""
    url = make_url(database).set(drivername="postgresql")
    with psycopg.connect(url.render_as_string(hide_password=False)) as owner:
        owner.execute(f"ALTER DATABASE {url.database} SET timezone = 'Asia/Tokyo'".encode())
    yield


@pytest.mark.parametrize(
    ("mode", "size"),
    [("transaction", 2), pytest.param("session", 20, marks=pytest.mark.soak)],
)
def test_commands_and_workers_reach_postgresql_through_pgbouncer(
    bullseye: Bullseye,
    home: ProcessGroup,
    postgresql_url: str,
    tmp_path: Path,
    mode: str,
    size: int,
) -> None:
    puzzles = tmp_path / "many.txt"
    puzzles.write_text(SUDOKUS.read_text() * (PUZZLES // 20))
    with (
        databases.on_server(postgresql_url) as database,
        in_tokyo(database),
        pgbouncer(home, database, mode, size) as url,
    ):
        direct = replace(bullseye, settings={"BULLSEYE_DATABASE_URL": database})
        pooled = replace(bullseye, settings={"BULLSEYE_DATABASE_URL": url})
        pooled.out("submit", str(puzzles), "--name", "many")
        with pooled.worker(1), pooled.worker(1):
            pooled.out("status", "-w", "many")
        for command in (
            ("results", "many", "-f", "csv", "--sort", "-clues"),
            ("query", "SELECT min(solved_at), count(*) FROM answers"),
        ):
            assert pooled.out(*command) == direct.out(*command)
        pooled.out("archive", "many", "--parquet", str(tmp_path))
        lines = pooled.out("results", "many", "-f", "csv", "--where", "clues > 0").splitlines()
        assert len(lines) == 1 + PUZZLES


@contextmanager
def standby(home: ProcessGroup, primary: Postgresql) -> Iterator[str]:
    """Start a standby that follows a server for the block; yield the URL of its database."""
    with (primary.data / "pg_hba.conf").open("a") as access:
        access.write(f"host replication all {primary.address}/24 scram-sha-256\n")
    copy = Postgresql(home, primary.programs, free_port(), primary.address)
    plain = primary.url.replace("+psycopg", "").rpartition("/")[0]
    with psycopg.connect(f"{plain}/postgres") as connection:
        connection.execute("SELECT pg_reload_conf()")
    user = unprivileged()
    home.folder.chmod(0o777)
    backup = (primary.programs / "initdb").resolve().with_name("pg_basebackup")
    command = [str(backup), "-R", "-c", "fast", "-d", plain, "-D", str(copy.data)]
    subprocess.run(command, user=user, check=True)
    try:
        copy.start()
        yield copy.url
    finally:
        copy.stop()


def test_commands_that_only_read_may_read_from_a_standby(
    bullseye: Bullseye, home: ProcessGroup, tmp_path: Path
) -> None:
    programs = find_postgresql() or missing("postgresql")
    with postgresql(programs) as server:
        primary = replace(bullseye, settings={"BULLSEYE_DATABASE_URL": server.url})
        primary.out("solve", str(SUDOKUS), "--name", "first")
        with standby(home, server) as url:
            behind = replace(bullseye, settings={"BULLSEYE_DATABASE_URL": url})
            for command in (
                ("results", "first", "-f", "csv", "--where", "clues > 25"),
                ("stats", "first", "--json"),
                ("query", "SELECT count(*), max(solved_at) FROM answers"),
            ):
                assert behind.out(*command) == primary.out(*command)
            primary.out("archive", "first", "--parquet", str(tmp_path))
            eventually(lambda: behind.run("results", "first").returncode != 0)
            for refused in (behind.run("results", "first"), behind.run("submit", str(SUDOKUS))):
                assert refused.returncode == os.EX_UNAVAILABLE
                assert refused.stderr.endswith(
                    "it is read-only: use the primary server of a standby\n"
                )
            assert behind.out("results", "first", "--count") == "20\n"

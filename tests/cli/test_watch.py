"""Ctrl-C and the limit of a query end a command whatever native code does."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from storage.database import open_database
from tests import databases
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Database
from tests.services import STARTUP_SECONDS

#: one instruction of SQLite's machine, which lasts for hours
ENDLESS = "instr(printf('%.*c',60000000,'a'), printf('%.*c',30000000,'a')||'b')"
ENDLESS_SERIES = "generate_series(1, 100000000000)"
#: waits for rows that never come, with a limit of half a second
OVERDUE = """
import sqlite3, sys
from cli.signals import handle, waiting
handle()
with waiting(0.5):
    sqlite3.connect(":memory:").execute(sys.argv[1])
"""
#: seconds in which a busy machine ends a process
LONG = 60.0


def run(*arguments: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def bullseye(*arguments: str) -> "subprocess.Popen[str]":
    return run(sys.executable, "-m", "cli.main", *arguments)


def cpu_seconds(process: int) -> float:
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def eventually(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.attack
@pytest.mark.parametrize(
    "arguments",
    [
        ("query", f"SELECT {ENDLESS}"),
        pytest.param(("results", "--where", f"{ENDLESS} > 0"), marks=pytest.mark.soak),
    ],
)
def test_ctrl_c_ends_one_endless_instruction_of_sqlite(
    database: Database, arguments: tuple[str, ...]
) -> None:
    database.store([UNIQUE])
    with bullseye(*arguments) as command:
        try:
            eventually(lambda: cpu_seconds(command.pid) > 2)  # it takes 1 s until it has begun
            command.send_signal(signal.SIGINT)
            assert command.communicate(timeout=LONG) == ("", "")
        finally:
            command.kill()
    assert command.returncode == 130


@pytest.mark.attack
def test_an_endless_instruction_of_sqlite_is_ended_by_the_limit() -> None:
    with run(sys.executable, "-c", OVERDUE, f"SELECT {ENDLESS}") as command:
        try:
            _, said = command.communicate(timeout=LONG)
        finally:
            command.kill()
    assert said == "error: the query found nothing within 0.5 s: simplify it\n"
    assert command.returncode == 2


@pytest.mark.attack
def test_ctrl_c_ends_a_command_whose_server_is_frozen(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with databases.on_server(postgresql_url) as url:
        open_database(url, migrate=True).dispose()
        monkeypatch.setenv("BULLSEYE_DATABASE_URL", url)
        server = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        with closing(psycopg.connect(server, autocommit=True)) as other, ExitStack() as stack:
            command = stack.enter_context(
                bullseye("query", f"SELECT count(*) FROM {ENDLESS_SERIES}")
            )
            stack.callback(command.kill)
            active = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'FETCH%'"
            eventually(lambda: other.execute(active).fetchone() is not None)
            ((backend,),) = other.execute(active)
            os.kill(backend, signal.SIGSTOP)
            try:
                command.send_signal(signal.SIGINT)
                command.communicate(timeout=STARTUP_SECONDS)
            finally:
                os.kill(backend, signal.SIGCONT)
                other.execute("SELECT pg_terminate_backend(%s)", [backend])
    assert command.returncode == 130

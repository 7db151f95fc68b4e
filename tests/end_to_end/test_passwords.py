"""Passwords in URLs never appear in output, logs or process lists."""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import Bullseye
from tests.services import PASSWORD, redis_server
from worker.local.process_group import ProcessGroup

SECRETS = ("sesame", "%2F")  # in the passwords of Redis and PostgreSQL, the latter escaped


@pytest.fixture
def guarded(
    bullseye: Bullseye, home: ProcessGroup, redis_program: Path, postgresql_url: str
) -> Iterator[Bullseye]:
    """An installation whose Redis and PostgreSQL require passwords."""
    assert PASSWORD.endswith(SECRETS[0])
    with redis_server(redis_program, home, "127.0.0.1") as url:
        yield replace(
            bullseye,
            redis_url=url,
            settings={"BULLSEYE_DATABASE_URL": postgresql_url, "BULLSEYE_SWEEP": "0.5"},
        )


def process_list() -> str:
    command = ["ps", "-eww", "-o", "args"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


COMMANDS = [
    ("doctor", "-v"),
    ("doctor", "--json"),
    ("status", "1", "--json"),
    ("results", "1"),
    ("results", "1", "--where", "nonsense(", "-v"),
    ("stats", "1"),
    ("show", "1"),
    ("show", "999", "-v"),
    ("cancel", "999", "-v"),
    ("retry", "1"),
    ("solve", "-v", "."),
]


def test_no_command_and_no_log_shows_a_password(guarded: Bullseye) -> None:
    printed = []
    with guarded.worker(1, "--", "-l", "debug"):
        done = guarded.run("submit", "--wait", "-v", "-", stdin="." * 16)
        assert done.returncode == 0, done.stderr
        printed += [done.stdout, done.stderr, process_list()]
        for command in COMMANDS:
            done = guarded.run(*command)
            printed += [done.stdout, done.stderr]
    printed += [log.read_text() for log in guarded.folder.glob("worker-*.log")]
    assert "INFO worker.queue.solving.attempt" in "".join(printed)  # the level reaches INFO
    for secret in SECRETS:
        assert not [text for text in printed if secret in text]


@pytest.mark.parametrize("variable", ["BULLSEYE_REDIS_URL", "BULLSEYE_DATABASE_URL"])
@pytest.mark.parametrize("how", ["another password", "another port", "an invalid port"])
def test_errors_of_a_service_do_not_show_its_password(
    guarded: Bullseye, variable: str, how: str
) -> None:
    wrong = guarded.env[variable]
    if how == "another password":
        wrong = wrong.replace("sesame", "guess-sesame")
    elif how == "another port":
        wrong = wrong.replace("127.0.0.1:", "127.0.0.1:1")
    else:
        wrong = wrong.replace("127.0.0.1:", "127.0.0.1:x")
    broken = replace(guarded, settings={**guarded.settings, variable: wrong})
    for command in (["submit", "-v", "-"], ["worker", "-v"], ["doctor", "-v"], ["status", "-v"]):
        done = broken.run(*command, stdin="." * 16)
        for secret in SECRETS:
            assert secret not in done.stdout + done.stderr, command

"""Passwords in URLs never appear in output, logs or process lists."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cli.main import run
from tests.end_to_end.bullseye import Bullseye
from tests.processes import command_lines
from tests.services import PASSWORD, redis_server
from worker.local.process_group import ProcessGroup

SECRETS = ("sesame", "%2F")  # in the passwords of Redis and PostgreSQL, the latter escaped


def in_the_query(url: str) -> str:
    """Return a URL with its password in the query instead of before the host."""
    user, _, password = url.partition("://")[2].partition("@")[0].partition(":")
    return url.replace(f":{password}@", "@" * bool(user)) + f"?password={password}"


@pytest.fixture(params=["before the host", "in the query"])
def guarded(
    bullseye: Bullseye,
    home: ProcessGroup,
    redis_program: Path,
    postgresql_url: str,
    request: pytest.FixtureRequest,
) -> Iterator[Bullseye]:
    """An installation whose Redis and PostgreSQL require passwords."""
    assert PASSWORD.endswith(SECRETS[0])
    with redis_server(redis_program, home, "127.0.0.1") as redis_url:
        urls = [redis_url, postgresql_url]
        if request.param == "in the query":
            urls = [in_the_query(url) for url in urls]
            urls[1] += f"&sslpassword={SECRETS[0]}&passfile=/{SECRETS[0]}"
        yield replace(
            bullseye,
            redis_url=urls[0],
            settings={"BULLSEYE_DATABASE_URL": urls[1], "BULLSEYE_SWEEP": "0.5"},
        )


def process_list(group: int) -> str:
    """Return the command lines of a process group."""
    ours = command_lines(group)
    assert len(ours) > 1  # the worker and its pool
    return "\n".join(ours)


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
    ("workers",),
    ("query", "SELECT version_num FROM alembic_version", "-v"),
    ("prove", "1"),
    ("export", "1", "--parquet", "/dev/null/no", "-v"),
    ("archive", "1", "-v"),
    ("prune", "--older-than", "30d"),
    ("delete", "1", "--yes", "--vacuum"),
]


class Printed:
    """What commands print that run in this process, which is faster than in their own."""

    def __init__(self, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capfd = capfd
        self.monkeypatch = monkeypatch

    def by(self, installed: Bullseye, *arguments: str) -> str:
        for name, value in installed.env.items():
            self.monkeypatch.setenv(name, value)
        run(arguments)
        return "".join(self.capfd.readouterr())


@pytest.fixture
def printed(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Printed:
    return Printed(capfd, monkeypatch)


@pytest.mark.attack
def test_no_command_and_no_log_shows_a_password(guarded: Bullseye, printed: Printed) -> None:
    texts = []
    with guarded.worker(1, "--", "-l", "debug") as worker:
        done = guarded.run("submit", "--wait", "-v", "-", stdin="." * 16)
        assert done.returncode == 0, done.stderr
        texts += [done.stdout, done.stderr, process_list(worker.pid)]
        texts += [printed.by(guarded, *command) for command in COMMANDS]
        done = guarded.run("solve", "-v", ".")
        texts += [done.stdout, done.stderr]
    texts += [log.read_text() for log in guarded.folder.glob("worker-*.log")]
    assert "INFO worker.attempt.chunk" in "".join(texts)  # the level reaches INFO
    for secret in SECRETS:
        assert not [text for text in texts if secret in text]


@pytest.mark.attack
@pytest.mark.parametrize("variable", ["BULLSEYE_REDIS_URL", "BULLSEYE_DATABASE_URL"])
@pytest.mark.parametrize("how", ["another password", "another port", "an invalid port"])
def test_errors_of_a_service_do_not_show_its_password(
    guarded: Bullseye, printed: Printed, variable: str, how: str
) -> None:
    wrong = guarded.env[variable]
    if how == "another password":
        wrong = wrong.replace("sesame", "guess-sesame")
    elif how == "another port":
        wrong = wrong.replace("127.0.0.1:", "127.0.0.1:1")
    else:
        wrong = wrong.replace("127.0.0.1:", "127.0.0.1:x")
    broken = replace(guarded, settings={**guarded.settings, variable: wrong})
    (broken.folder / "puzzles.txt").write_text("." * 16)
    commands = (
        ["submit", "-v", str(broken.folder / "puzzles.txt")],
        ["doctor", "-v"],
        ["status", "-v"],
    )
    done = broken.run("worker", "-v")
    texts = [done.stdout + done.stderr, *(printed.by(broken, *command) for command in commands)]
    assert all(texts)
    for secret in SECRETS:
        assert not [text for text in texts if secret in text]

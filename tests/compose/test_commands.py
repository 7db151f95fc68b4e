"""The commands of compose.yaml, run without Docker."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import AuthenticationError
from redis.retry import Retry
from sqlalchemy import make_url

from tests.compose.compose_file import Services, Steps
from tests.compose.image import Image
from tests.end_to_end.bullseye import eventually, kill
from tests.services import find_postgresql, free_port
from worker.local.backend import find_redis

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
#: by default a client tries a wrong password again for seconds
NO_RETRY = Retry(NoBackoff(), 0)


@contextmanager
def running(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own, which is killed at the end of the block."""
    process = subprocess.Popen(command, process_group=0, **options)
    try:
        yield process
    finally:
        kill(process)


@pytest.fixture(scope="module")
def redis_port(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The redis command of the file, on a free port and in a temporary folder."""
    program = find_redis()
    assert program is not None, "the test extra brings a Redis program, or PATH has one"
    command = [str(program), *services["redis"]["command"][1:]]
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    with running([*command, "--port", str(port), "--dir", str(folder)], stdout=subprocess.DEVNULL):
        eventually(lambda: is_healthy(services, port))
        yield port


def is_healthy(services: Services, port: int, **environ: str) -> bool:
    """Whether the health check of the file succeeds."""
    _, _, *check = services["redis"]["healthcheck"]["test"]
    program = find_redis()
    assert program is not None
    client = shutil.which("redis-cli") or str(program.with_name("redis-cli"))
    env = {**os.environ, **services["redis"]["environment"], **environ}
    command = [client, "-p", str(port), *check]
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    return done.returncode == 0


def test_redis_starts_with_its_arguments_and_is_healthy(
    services: Services, redis_port: int
) -> None:
    expected = {
        "maxmemory-policy": "noeviction",
        "appendonly": "yes",
        "appendfsync": "everysec",
    }
    with Redis(port=redis_port, password="bullseye", decode_responses=True) as client:
        values = [client.config_get(name) for name in expected]  # Redis 6 takes one name at a time
    assert values == [{name: value} for name, value in expected.items()]


def test_redis_requires_the_password(redis_port: int) -> None:
    with Redis(port=redis_port, retry=NO_RETRY) as client, pytest.raises(AuthenticationError):
        client.ping()


def test_the_health_check_fails_without_redis_or_with_a_wrong_password(
    services: Services, redis_port: int
) -> None:
    assert is_healthy(services, redis_port)
    assert not is_healthy(services, redis_port, REDISCLI_AUTH="wrong")
    assert not is_healthy(services, free_port())


def test_the_image_installs_the_project_and_then_drops_privileges(
    recipe: Steps,
) -> None:
    assert recipe[0] == ("FROM", "python:3.12-slim")
    assert [step for step, _ in recipe[-3:]] == ["WORKDIR", "RUN", "USER"]
    installs = [shlex.split(text) for step, text in recipe if step == "RUN" and "pip " in text]
    assert installs == [["pip", "install", "--no-cache-dir", ".[postgres]"]]


def test_the_compiled_kernel_of_the_image_is_loaded_from_its_cache(image: Image) -> None:
    assert f"data loaded from '{image.folder / 'opt' / 'numba'}/" in image.log
    again = image.warm_up.partition(" ")[2]  # the same line, with the cache where a worker has it
    image.run("cp -R /opt/numba /tmp")
    log = image.run(
        again, NUMBA_CACHE_DIR=str(image.folder / "tmp" / "numba"), NUMBA_DEBUG_CACHE="1"
    )
    assert "data loaded from" in log
    assert "data saved to" not in image.log + log


def test_worker_and_cli_solve_a_file_and_the_worker_stops_in_time(
    image: Image, services: Services, redis_port: int
) -> None:
    (image.workdir / "puzzles.txt").write_text(f"{PUZZLE}\n")
    worker, cli = services["worker"], services["cli"]
    command, env = image.service(worker, redis_port)
    path = image.folder / "worker.log"
    log = path.open("wb")
    options = {"env": env, "cwd": image.workdir, "stdout": log, "stderr": log}
    with log, running([*command, *worker["command"]], **options) as process:
        # Here all services share /tmp, into which `cli`, too, copies the compiled kernel.
        eventually(lambda: "is ready" in path.read_text())
        assert "compiling" not in path.read_text()
        command, env = image.service(cli, redis_port)

        def bullseye(*arguments: str) -> str:
            done = subprocess.run(
                [*command, *arguments],
                env=env,
                cwd=image.workdir,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            return done.stdout

        bullseye("submit", "--wait", "puzzles.txt")
        assert bullseye("results", "-f", "lines").split()[-1] == SOLUTION
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=int(worker["stop_grace_period"].removesuffix("s")))
    assert (image.folder / "data" / "bullseye.db").exists()


def test_the_cli_service_prints_its_help_without_arguments(
    image: Image, services: Services
) -> None:
    command, env = image.service(services["cli"], 1)
    done = subprocess.run(
        [*command, *services["cli"]["command"]],
        env=env,
        cwd=image.workdir,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "submit" in done.stdout


def test_the_health_check_of_postgresql_fails_without_a_server(
    services: Services, postgresql_url: str
) -> None:
    _, program, *arguments = services["postgres"]["healthcheck"]["test"]
    programs = find_postgresql()
    assert programs is not None
    check = [str((programs / "initdb").resolve().with_name(program)), *arguments, "-p"]
    there, gone = make_url(postgresql_url).port, free_port()
    assert subprocess.run([*check, str(there)], check=False, capture_output=True).returncode == 0
    assert subprocess.run([*check, str(gone)], check=False, capture_output=True).returncode == 2

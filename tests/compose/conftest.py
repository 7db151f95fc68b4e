import os
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from tests.compose.compose_file import FILE, Services, Steps, filled_in, steps
from tests.compose.containers import running
from tests.end_to_end.bullseye import eventually
from tests.services import free_port, redis_program


@pytest.fixture(scope="session")
def services() -> Services:
    compose: dict[str, Any] = filled_in(yaml.safe_load(FILE.read_text()))
    return compose["services"]  # type: ignore[no-any-return] # yaml knows no types


@pytest.fixture(scope="session")
def recipe(services: Services) -> Steps:
    return steps(services["worker"]["build"]["dockerfile_inline"])


@pytest.fixture(scope="module")
def redis_port(services: Services, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The redis command of the file, on a free port and in a temporary folder."""
    command = [str(redis_program()), *services["redis"]["command"][1:]]
    port, folder = free_port(), tmp_path_factory.mktemp("redis")
    with running([*command, "--port", str(port), "--dir", str(folder)], stdout=subprocess.DEVNULL):
        eventually(lambda: is_healthy(services, port))
        yield port


def is_healthy(services: Services, port: int, **environ: str) -> bool:
    """Whether the health check of the file succeeds."""
    _, _, *check = services["redis"]["healthcheck"]["test"]
    client = shutil.which("redis-cli") or str(redis_program().with_name("redis-cli"))
    env = {**os.environ, **services["redis"]["environment"], **environ}
    command = [client, "-p", str(port), *check]
    done = subprocess.run(command, env=env, capture_output=True, check=False)
    return done.returncode == 0

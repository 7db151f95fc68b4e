from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import databases, services
from tests.end_to_end.bullseye import Bullseye
from worker.local.backend import private_redis
from worker.local.process_group import ProcessGroup, process_group

# Programs that tests run have no doctests, and need not be imported to look for them.
collect_ignore_glob = ["*_solver.py", "*_worker.py", "runner.py"]


@pytest.fixture
def home() -> Iterator[ProcessGroup]:
    """The process group and folder of the test's Redis."""
    with process_group() as ours:
        yield ours


@pytest.fixture
def redis_program() -> Path:
    return services.redis_program()


@pytest.fixture
def bullseye(tmp_path: Path, home: ProcessGroup, redis_program: Path) -> Iterator[Bullseye]:
    """An installation with empty tables and no worker."""
    with private_redis(home, redis_program) as url:
        installed = Bullseye(tmp_path, url)
        databases.create_file(installed.database)
        yield installed

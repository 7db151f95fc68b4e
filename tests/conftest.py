"""Every test begins without settings of its user's; servers are real, and started when needed."""

import os
from collections.abc import Iterator

import pytest

from tests import services
from worker.local.process_group import process_group
from worker.local.redis_server import find_redis, private_redis


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the user of this machine has set for Bullseye does not count here."""
    for name in [name for name in os.environ if name.startswith("BULLSEYE_")]:
        monkeypatch.delenv(name)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis of our own."""
    program = find_redis() or services.missing("redis-server")
    with process_group() as ours, private_redis(ours, program) as url:
        yield url


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """A PostgreSQL of our own; its databases do not survive the tests."""
    programs = services.find_postgresql() or services.missing("postgresql")
    with services.postgresql(programs) as server:
        yield server.url

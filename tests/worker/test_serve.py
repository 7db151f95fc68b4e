import pytest

from worker.errors import RedisUnreachable
from worker.serve import serve
from worker.settings import Settings


def test_a_worker_does_not_start_without_redis() -> None:
    settings = Settings("sqlite:////nowhere/bullseye.db", "redis://127.0.0.1:1/0")
    with pytest.raises(RedisUnreachable, match=r"cannot reach Redis at 127\.0\.0\.1:1"):
        serve(settings, 1)

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import Bullseye
from worker.private import find_redis, group, private_redis


@pytest.fixture
def bullseye(tmp_path: Path) -> Iterator[Bullseye]:
    program = find_redis()
    assert program is not None, "the test extra brings a Redis program, or PATH has one"
    with group() as home, private_redis(home, program) as url:
        yield Bullseye(tmp_path, url)

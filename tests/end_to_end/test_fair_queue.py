"""Batches share the workers: a small one does not wait for the end of a large one."""

from contextlib import closing

import pytest

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import client, execute, submit
from worker.queue.carrier import Carrier
from worker.settings import Settings

LARGE = 2_000
MB = 1 << 20
#: the answers of one batch that were stored before those of another
BEFORE = """
SELECT count(*) FROM answers WHERE batch = :large
AND solved_at <= (SELECT max(solved_at) FROM answers WHERE batch = :small)
"""


def test_a_batch_of_one_puzzle_is_answered_while_a_large_one_has_just_begun(
    bullseye: Bullseye,
) -> None:
    large = submit(bullseye, 45, LARGE)
    small = submit(bullseye, 46, 1)
    with bullseye.worker(1), client(bullseye) as redis:
        eventually(small.complete)
        assert int(redis.info()["used_memory_peak"]) < 16 * MB
    ((before,),) = execute(bullseye, BEFORE, large=int(large.batch), small=int(small.batch))
    assert int(str(before)) < LARGE / 2
    small.assert_complete()


@pytest.mark.parametrize("size", [20_000, 200_000, 1_000_000])
def test_redis_uses_less_than_16_mb_when_it_is_full_of_large_chunks(
    bullseye: Bullseye, size: int
) -> None:
    with closing(Carrier.connect(bullseye.redis_url, "queue")) as carrier:
        for number in range(Settings("").room // size):
            carrier.put(number, "1" * size)
        assert int(carrier.client.info()["used_memory_peak"]) < 16 * MB

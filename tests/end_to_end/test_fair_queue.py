"""Batches share the workers: a small one does not wait for the end of a large one."""

from itertools import islice

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import Load, client, execute
from tests.sudoku import grids

LARGE = 100_000
MB = 1 << 20
#: the answers of one batch that were stored before those of another
BEFORE = """
SELECT count(*) FROM answers WHERE batch = :large
AND solved_at <= (SELECT max(solved_at) FROM answers WHERE batch = :small)
"""


def submit(bullseye: Bullseye, puzzles: list[str]) -> Load:
    batch = bullseye.out("submit", "-", stdin="\n".join(puzzles)).strip()
    return Load(bullseye, batch, puzzles)


def test_a_batch_of_one_puzzle_is_answered_while_a_large_one_has_just_begun(
    bullseye: Bullseye,
) -> None:
    one, *others = islice(grids(45, 28), 101)
    large = submit(bullseye, others * (LARGE // len(others)))
    small = submit(bullseye, [one])
    with bullseye.worker(1), client(bullseye) as redis:
        eventually(small.complete)
        bullseye.run("cancel", large.batch)  # it may be complete by now
        assert int(redis.info()["used_memory_peak"]) < 16 * MB
    ((before,),) = execute(bullseye, BEFORE, large=int(large.batch), small=int(small.batch))
    assert int(str(before)) < LARGE / 2
    small.assert_complete()

"""Batches that are cancelled, paused, retried and deleted."""

import json
from contextlib import closing
from itertools import islice

from redis import Redis

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import QUICK, Load, execute, submit
from tests.sudoku import grids
from tests.worker.counting.tilings import DOMINO, tilings
from tests.worker.test_dividing import text_of

ANSWERS = "SELECT id, solution, solved_at FROM answers"
STATUSES = "SELECT status, count(*) FROM answers GROUP BY status ORDER BY status"


def any_chunk_taken(bullseye: Bullseye) -> bool:
    return execute(bullseye, "SELECT count(*) FROM chunk WHERE state = 'taken'") != [(0,)]


def test_a_cancelled_batch_keeps_its_answers_and_a_retry_completes_it(
    bullseye: Bullseye,
) -> None:
    bullseye.settings |= QUICK
    with bullseye.worker(2):
        load = submit(bullseye, 51, 12_000)  # more than are solved before it is cancelled
        eventually(lambda: load.answered() > 0)
        bullseye.out("cancel", load.batch)
        kept = execute(bullseye, ANSWERS)
        assert 0 < len(kept) < len(load.puzzles)
        bullseye.out("retry", load.batch)
        bullseye.out("retry", load.batch)
        load.assert_complete()
    assert set(kept) < set(execute(bullseye, ANSWERS))


def test_workers_leave_a_cancelled_batch_within_two_seconds(bullseye: Bullseye) -> None:
    endless = "\n".join(islice(grids(52, 4), 4))
    states = text_of(tilings(40, 40, DOMINO))  # counted from a table, by one process
    easy = next(grids(53, 32))
    with bullseye.worker():
        for how, puzzles in (("--limit=all", endless), ("--count", states)):
            bullseye.out("submit", how, "--timeout", "100", "-", stdin=puzzles)
            eventually(lambda: any_chunk_taken(bullseye))
            behind = Load(bullseye, bullseye.out("submit", "-", stdin=easy).strip(), [easy])
            assert not behind.complete()
            bullseye.out("cancel", str(int(behind.batch) - 1))
            behind.assert_complete(2)
    assert execute(bullseye, "SELECT DISTINCT batch FROM answers ORDER BY batch") == [(2,), (4,)]


def test_workers_leave_a_paused_batch_within_two_seconds_and_go_on_with_it_later(
    bullseye: Bullseye,
) -> None:
    bullseye.settings |= QUICK
    endless, easy = next(grids(52, 4)), next(grids(53, 32))
    with bullseye.worker():
        bullseye.out("submit", "--limit=all", "--timeout", "100", "-", stdin=endless)
        eventually(lambda: execute(bullseye, "SELECT count(*) FROM search") == [(1,)])
        bullseye.out("pause", "1")
        behind = Load(bullseye, bullseye.out("submit", "-", stdin=easy).strip(), [easy])
        behind.assert_complete(2)
        eventually(lambda: not any_chunk_taken(bullseye))
        found = "SELECT nodes FROM search"
        before = execute(bullseye, found)
        bullseye.out("resume", "1")
        eventually(lambda: execute(bullseye, found) > before)
        bullseye.out("cancel", "1")


def test_retry_runs_only_puzzles_that_timed_out(bullseye: Bullseye) -> None:
    easy, endless = list(islice(grids(54, 32), 5)), list(islice(grids(55, 4), 2))
    lines = "\n".join([*easy, *endless])
    with bullseye.worker():
        bullseye.out("submit", "--limit", "all", "--timeout", "0.3", "-", stdin=lines)
        load = Load(bullseye, "1", [*easy, *endless])
        eventually(load.complete)
        assert execute(bullseye, STATUSES) == [("solved", 5), ("timeout", 2)]
        first = execute(bullseye, "SELECT id, solved_at FROM answers WHERE status = 'solved'")
        bullseye.out("retry", "1")
        bullseye.out("retry", "1")
        eventually(load.complete)
    assert execute(bullseye, STATUSES) == [("solved", 5), ("timeout", 2)]
    assert execute(bullseye, "SELECT id, solved_at FROM answers WHERE status = 'solved'") == first
    positions = [json.loads(line)["position"] for line in bullseye.out("results", "1").splitlines()]
    assert positions == list(range(1, 8))


def test_a_batch_is_deleted_while_workers_solve_it(bullseye: Bullseye) -> None:
    endless = "\n".join(islice(grids(56, 4), 300))
    with bullseye.worker(2):
        bullseye.out("submit", "--limit", "all", "--timeout", "100", "-", stdin=endless)
        eventually(lambda: any_chunk_taken(bullseye))
        bullseye.out("cancel", "1")
        bullseye.out("delete", "1", "--yes")
        submit(bullseye, 57, 200).assert_complete()
        counts = "SELECT (SELECT count(*) FROM chunk WHERE batch_id = 1), count(*) FROM answer"
        assert execute(bullseye, counts) == [(0, 200)]
        with closing(Redis.from_url(bullseye.redis_url)) as redis:
            eventually(lambda: not redis.keys("*:chunk:*") and not redis.keys("*:unacked"))
    assert "Traceback" not in bullseye.logs()

"""Celery's own commands, PostgreSQL, and batches of several kinds of puzzles."""

import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice

from tests.end_to_end.bullseye import ROOT, Bullseye, eventually
from tests.end_to_end.load import Load
from tests.sudoku import grids, is_solution

CELERY = (sys.executable, "-m", "celery", "-A", "worker.app")


def test_celerys_own_command_starts_workers_that_find_each_other(bullseye: Bullseye) -> None:
    bullseye.program = (*CELERY, "worker", "-l", "info")
    puzzle = next(grids(20, 30))
    with bullseye.worker(1, "-n", "a@%h"):
        batch = bullseye.out("submit", "--wait", puzzle).strip()
        with bullseye.worker(1, "-n", "b@%h"):
            eventually(lambda: "sync with 1 nodes" in bullseye.logs())
            eventually(lambda: bullseye.live_workers() == 2)
            first_event = next(dumped_events(bullseye))
    assert is_solution(puzzle, json.loads(bullseye.out("results", batch))["solution"])
    assert "heartbeat: " in first_event
    assert "foreign messages: none" in bullseye.run("doctor").stdout


def dumped_events(bullseye: Bullseye) -> Iterator[str]:
    """The lines of `celery events --dump` about events."""
    command = [*CELERY, "events", "--dump"]
    with subprocess.Popen(
        command, env=bullseye.env, cwd=bullseye.folder, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        try:
            yield from (line for line in process.stdout if not line.startswith("->"))
        finally:
            process.kill()


def test_celery_inspect_stats_reports_a_worker(bullseye: Bullseye) -> None:
    with bullseye.worker():
        eventually(lambda: bullseye.live_workers() == 1)
        done = subprocess.run(
            [*CELERY, "inspect", "stats", "--json"],
            env=bullseye.env,
            cwd=bullseye.folder,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    (stats,) = json.loads(done.stdout).values()
    assert stats["broker"]["transport"] in {"bullseye-redis", "redis"}


def test_workers_on_postgresql_share_a_batch(bullseye: Bullseye, postgresql_url: str) -> None:
    bullseye.settings["BULLSEYE_DATABASE_URL"] = postgresql_url
    puzzles = list(islice(grids(21, 28), 1000))
    (bullseye.folder / "puzzles.txt").write_text("\n".join(puzzles))
    with bullseye.worker(), bullseye.worker():
        batch = bullseye.out("submit", "--wait", "puzzles.txt").strip()
    Load(bullseye, batch, puzzles).assert_complete(0)
    assert not bullseye.database.exists()


def test_one_batch_may_contain_puzzles_of_every_kind_and_size(bullseye: Bullseye) -> None:
    files = [str(ROOT / "examples" / name) for name in ("sudoku.txt", "16x16.txt", "cover.dlx")]
    found = [json.loads(line) for line in bullseye.out("solve", *files).splitlines()]
    assert [answer["position"] for answer in found] == list(range(1, len(found) + 1))
    assert {(answer["kind"], answer["size"]) for answer in found} >= {
        ("sudoku", 9),
        ("sudoku", 16),
        ("cover", 7),
    }
    for answer in found:
        if answer["kind"] == "sudoku" and answer["status"] == "solved":
            assert is_solution(answer["puzzle"], answer["solution"])


def test_two_databases_on_one_redis_never_take_each_others_chunks(bullseye: Bullseye) -> None:
    other = Bullseye(bullseye.folder / "other", bullseye.redis_url)
    other.folder.mkdir()
    theirs = other.out("submit", next(grids(22, 30))).strip()
    with bullseye.worker():
        bullseye.out("submit", "--wait", next(grids(23, 30)))
    assert other.out("results", theirs) == ""

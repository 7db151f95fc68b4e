"""Celery's own commands, PostgreSQL, and batches of several kinds of puzzles."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from string import ascii_uppercase
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from tests.end_to_end.bullseye import ROOT, Bullseye, eventually, kill
from tests.end_to_end.load import Load
from tests.services import free_port, missing
from tests.sudoku import SYMBOLS, grids, is_solution

CELERY = (sys.executable, "-m", "celery", "-A", "bullseye")


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


def test_flower_shows_a_worker_in_its_api_and_on_its_page(bullseye: Bullseye) -> None:
    if find_spec("flower") is None:
        missing("flower", "pip install {0}")
    with bullseye.worker(), flower(bullseye) as url:
        eventually(lambda: has_replies(page(f"{url}/api/workers?refresh=1")))
        ((name, info),) = json.loads(page(f"{url}/api/workers")).items()
        assert f"<title>{name}" in page(f"{url}/worker/{name}")
    assert name.startswith("bullseye-")
    assert info["registered"] == ["bullseye.solve_chunk"]
    assert info["stats"]["pool"]["max-concurrency"] == 1


def has_replies(workers: str) -> bool:
    """Return whether the replies that the test reads are there, which come one by one."""
    return '"stats"' in workers and '"registered"' in workers


@contextmanager
def flower(bullseye: Bullseye) -> Iterator[str]:
    """Start Flower for the block; yield its address."""
    port = free_port()
    process = subprocess.Popen(
        [*CELERY, "flower", "--address=127.0.0.1", f"--port={port}"],
        env={**bullseye.env, "FLOWER_UNAUTHENTICATED_API": "true"},
        cwd=bullseye.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        kill(process)


def page(url: str) -> str:
    """The text at an address; empty while nothing listens there."""
    try:
        with urlopen(url, timeout=30) as response:
            return str(response.read(), "utf-8")
    except URLError as error:
        if isinstance(error, HTTPError):
            raise
        return ""


def test_workers_on_postgresql_share_a_batch(bullseye: Bullseye, postgresql_url: str) -> None:
    bullseye.settings["BULLSEYE_DATABASE_URL"] = postgresql_url
    bullseye.database.unlink()
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
            letters = SYMBOLS if answer["size"] == 9 else ascii_uppercase  # as in its file
            assert is_solution(answer["puzzle"], answer["solution"], letters)


def test_two_databases_on_one_redis_never_take_each_others_chunks(bullseye: Bullseye) -> None:
    other = Bullseye(bullseye.folder / "other", bullseye.redis_url)
    other.folder.mkdir()
    theirs = other.out("submit", next(grids(22, 30))).strip()
    with bullseye.worker():
        bullseye.out("submit", "--wait", next(grids(23, 30)))
    assert other.out("results", theirs) == ""

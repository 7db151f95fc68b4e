"""The image of compose.yaml, built by a real engine: `.ci/image .venv/bin/pytest -m image`."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.compose.compose_file import Services
from tests.compose.containers import Container, buildah, container, running
from tests.end_to_end.bullseye import eventually
from tests.services import missing

pytestmark = pytest.mark.image

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"

BASE = "docker.io/library/python:3.12-slim"
#: what the image may add to its base
MAX_MB = 450
#: folders in which a container may write: the volumes, and its tmpfs
WRITABLE = ("data", "puzzles", "tmp", "proc", "sys", "dev", "run")


@pytest.fixture(scope="module", autouse=True)
def _image() -> None:
    if shutil.which("buildah") is None:
        missing("buildah", "apt-get install buildah")
    assert "localhost/bullseye" in buildah("images"), "run .ci/image"


@pytest.fixture
def folders(tmp_path: Path) -> dict[str, Path]:
    """The volume of the data, and the current folder of a user."""
    data, here = tmp_path / "data", tmp_path / "here"
    for folder, user, group, mode in ((data, 10001, 0, 0o2775), (here, 1234, 1234, 0o755)):
        folder.mkdir()
        os.chown(folder, user, group)
        folder.chmod(mode)
    (here / "puzzles.txt").write_text(f"{PUZZLE}\n")
    return {"/data": data, "/puzzles": here}


@contextmanager
def services_of(
    services: Services, redis_port: int, folders: dict[str, Path], database: str
) -> Iterator[tuple[Container, Container]]:
    """Yield the worker, which runs, and the container of commands."""
    worker, cli = services["worker"], services["cli"]
    url = worker["environment"]["BULLSEYE_REDIS_URL"]
    settings = {
        "BULLSEYE_DATABASE_URL": database,
        "BULLSEYE_REDIS_URL": url.replace("@redis:6379", f"@127.0.0.1:{redis_port}"),
    }
    log = folders["/data"].with_name("worker.log")
    with (
        container(worker, settings, {"/data": folders["/data"]}) as one,
        container(cli, settings, folders) as other,
        log.open("wb") as out,
        running(one.command(*worker["command"]), stdout=out, stderr=out) as process,
    ):
        eventually(lambda: "is ready" in log.read_text(), seconds=60)
        assert "compiling" not in log.read_text()
        yield one, other
        os.kill(one.main_process(), signal.SIGTERM)
        process.wait(timeout=int(worker["stop_grace_period"].removesuffix("s")))


def written(root: Path, since: float) -> list[Path]:
    """The files of a container that have changed, but for those it may write."""
    top = (path for path in root.iterdir() if path.name not in WRITABLE and not path.is_symlink())
    files = (path for folder in top for path in folder.rglob("*") if path.is_file())
    return [path for path in files if not path.is_symlink() and path.stat().st_mtime > since]


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_worker_and_cli_solve_a_file_and_the_worker_stops_in_time(
    services: Services,
    redis_port: int,
    folders: dict[str, Path],
    database: str,
    request: pytest.FixtureRequest,
) -> None:
    began = time.time()
    url = services["worker"]["environment"]["BULLSEYE_DATABASE_URL"]
    if database == "postgresql":
        url = request.getfixturevalue("postgresql_url")
    with services_of(services, redis_port, folders, url) as (worker, cli):
        cli.out("submit", "--wait", "puzzles.txt")
        assert cli.out("results", "-f", "lines").split()[-1] == SOLUTION
        cli.out("results", "-f", "csv", "-o", "answers.csv", user="1234:0")
        cli.out("solve", "puzzles.txt", "-o", "solved.txt", user="1234:0")
        *_, check = services["worker"]["healthcheck"]["test"]
        healthy = worker.program("/bin/sh", "-c", check)
        assert subprocess.run(healthy, check=False, capture_output=True).returncode == 0
        assert written(worker.root, began) == written(cli.root, began) == []
    here = folders["/puzzles"]
    assert SOLUTION in (here / "answers.csv").read_text()
    assert (here / "solved.txt").read_text().split()[-1] == SOLUTION
    assert (folders["/data"] / "bullseye.db").exists() is (database == "sqlite")


def test_a_file_is_solved_on_a_root_that_the_kernel_mounts_read_only(
    services: Services, folders: dict[str, Path]
) -> None:
    """buildah's isolation by chroot leaves the root writable, so this one is mounted here."""
    cli = services["cli"]
    with container(cli, {}, folders) as one:
        root = shlex.quote(str(one.root))
        volumes = (f"mount --bind {folder} {root}{place}" for place, folder in folders.items())
        mounts = (
            f"mount --bind {root} {root}",
            f"mount -o remount,bind,ro {root}",
            f"mount --rbind /dev {root}/dev",
            f"mount -t tmpfs tmpfs {root}/tmp",
            *volumes,
            f"! touch {root}/written",
        )
        environ = (f"{name}={value}" for name, value in cli["environment"].items())
        path = "PATH=/usr/local/bin:/usr/bin:/bin"
        command = (*cli["entrypoint"], "solve", "puzzles.txt", "-f", "lines")
        user = ("chroot", f"--userspec={cli['user']}", str(one.root))
        run = shlex.join([*user, "env", "-i", "-C", "/puzzles", path, *environ, *command])
        script = "\n".join(["set -e", *mounts, f"exec {run}"])
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split()[-1] == SOLUTION
        assert "Read-only file system" in done.stderr


def test_programs_of_the_image_run_as_its_user(services: Services) -> None:
    with container(services["cli"], {}, {}) as cli:
        assert "submit" in cli.out(*services["cli"]["command"])
        script = "import os, bullseye; print(os.getuid(), bullseye.solve('1' + '.' * 15)[0].status)"
        done = subprocess.check_output(cli.program("python", "-c", script), text=True)
        assert done.split() == ["10001", "solved"]


def test_the_health_check_fails_without_a_worker(services: Services, redis_port: int) -> None:
    worker = services["worker"]
    url = worker["environment"]["BULLSEYE_REDIS_URL"]
    settings = {"BULLSEYE_REDIS_URL": url.replace("@redis:6379", f"@127.0.0.1:{redis_port}")}
    with container(worker, settings, {}) as one:
        *_, check = worker["healthcheck"]["test"]
        done = subprocess.run(
            one.program("/bin/sh", "-c", check), check=False, capture_output=True, text=True
        )
        assert done.returncode != 0, done.stdout


def test_the_image_is_small() -> None:
    images = {one["names"][0]: one["size"] for one in json.loads(buildah("images", "--json"))}
    sizes = [images[name].split() for name in ("localhost/bullseye:latest", BASE)]
    (ours, unit), (base, unit_of_base) = sizes
    assert unit == unit_of_base == "MB"
    assert 0 < int(ours) - int(base) < MAX_MB

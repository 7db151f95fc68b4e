"""Containers of the image of compose.yaml, run by buildah as Compose would run its services.

They share the network of the machine, so the names of servers become 127.0.0.1.
"""

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.end_to_end.bullseye import kill

#: no container may raise these on every machine
LIMITS = ("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4000:4000")


def buildah(*arguments: str | Path) -> str:
    """Return what a command of buildah prints, which must succeed."""
    done = subprocess.run(["buildah", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@dataclass(frozen=True)
class Container:
    """A container of a service, with the folders of its volumes."""

    name: str
    root: Path  #: its file system
    service: dict[str, Any]
    settings: dict[str, str]  #: of the environment, in place of those of the service
    folders: dict[str, Path]  #: by the place where they are mounted
    temporary: str  #: the parent of the folders that are mounted as /tmp

    def command(self, *arguments: str, user: str = "") -> list[str]:
        """Return the command that runs the entry point with these arguments."""
        return self.program(*self.service["entrypoint"], *arguments, user=user)

    def program(self, *words: str, user: str = "") -> list[str]:
        """Return the command that runs a program, as the user of the service or another."""
        environ = {**self.service["environment"], **self.settings, "CONTAINER": self.name}
        temporary = Path(tempfile.mkdtemp(dir=self.temporary))  # as `tmpfs` in a new container
        temporary.chmod(0o1777)
        folders = {**self.folders, "/tmp": temporary}  # of the container
        volumes = (f"--volume={place}:{at}" for at, place in folders.items())
        return [
            *("buildah", "run", "--user", user or self.service["user"]),
            *(f"--env={name}={value}" for name, value in environ.items()),
            *("--workingdir", self.service.get("working_dir", "/"), *volumes, self.name, "--"),
            *words,
        ]

    def out(self, *arguments: str, user: str = "") -> str:
        """Run the entry point, which must succeed, and return its stdout."""
        command = self.command(*arguments, user=user)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def main_process(self) -> int:
        """Return the id of the first process in this container."""
        processes = [one for one in Path("/proc").iterdir() if one.name.isdecimal()]
        return min(int(one.name) for one in processes if self._is_ours(one))

    def _is_ours(self, process: Path) -> bool:
        try:
            return f"CONTAINER={self.name}".encode() in (process / "environ").read_bytes().split(
                b"\0"
            )
        except OSError:  # it has ended
            return False


@contextmanager
def container(
    service: dict[str, Any], settings: dict[str, str], folders: dict[str, Path]
) -> Iterator[Container]:
    """Make a container of a service, which is removed at the end of the block."""
    name = buildah("from", *LIMITS, "bullseye")
    try:
        root = Path(buildah("mount", name))
        with tempfile.TemporaryDirectory() as temporary:
            yield Container(name, root, service, settings, folders, temporary)
    finally:
        buildah("rm", name)


@contextmanager
def running(command: Sequence[str], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own, which is killed at the end of the block."""
    process = subprocess.Popen(command, process_group=0, **options)
    try:
        yield process
    finally:
        kill(process)

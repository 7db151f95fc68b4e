"""Child processes and a temporary folder that end with this process, however it ends."""

import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from storage.signals import deferred

#: a shell script that waits until its stdin is closed, which the kernel does if the owner is
#: killed, then removes the folder and kills its whole process group, itself included
_GUARD_SCRIPT = 'read -r _; rm -rf "$1"; kill -9 0'


@dataclass(frozen=True, slots=True)
class ProcessGroup:
    """A process group and a folder, both removed by a guard process."""

    folder: Path
    id: int  #: that of the guard process, too

    def start(
        self,
        command: Sequence[str],
        log: str,
        *,
        env: Mapping[str, str] | None = None,
        pass_fds: Sequence[int] = (),
    ) -> subprocess.Popen[bytes]:
        """Start a program in the group; its stdout and stderr go to the file `log` in the folder.

        Its temporary files are in the folder, too: a process that is killed does not remove them.
        `env` replaces the environment; `pass_fds` are file descriptors that the program inherits.
        """
        with (self.folder / log).open("wb") as output:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**(os.environ if env is None else env), "TMPDIR": str(self.folder)},
                cwd=self.folder,
                process_group=self.id,
                pass_fds=pass_fds,
            )

    def join(self) -> bool:
        """Let this process join the group; return False if the group has ended."""
        try:
            os.setpgid(0, self.id)
        except OSError:
            return False
        # The guard kills all members after it has removed the folder, and may have done so before.
        return self.folder.exists()


@contextmanager
def process_group() -> Iterator[ProcessGroup]:
    """Make a group whose processes are killed at the end of the block, or if this process dies."""
    with deferred():
        # In /tmp, because the path of a Unix socket may have no more than about 100 bytes.
        folder = Path(tempfile.mkdtemp(prefix="bullseye-", dir="/tmp"))
        guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD_SCRIPT, "sh", str(folder)],
            stdin=subprocess.PIPE,
            process_group=0,
        )
    try:
        yield ProcessGroup(folder, guard.pid)
    finally:
        if guard.stdin is not None:
            guard.stdin.close()
        guard.wait()


def last_line(log: Path) -> str:
    """Return the last line of a log that is not blank, for the error about a program that ended."""
    try:
        lines = log.read_text(errors="replace").splitlines()
    except OSError:
        return "it left no log"
    return next((line.strip() for line in reversed(lines) if line.strip()), "its log is empty")

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.bullseye import eventually
from worker.local.process_group import ProcessGroup, last_line, process_group

OWNER = """
import sys, time
from worker.local.process_group import process_group
with process_group() as group:
    child = group.start(['sleep', '600'], 'log')
    print(child.pid, group.folder, flush=True)
    time.sleep(600)
"""


def is_alive(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]
    except (FileNotFoundError, ProcessLookupError):  # it ended before, or after the file was opened
        return False


def test_a_program_of_the_group_and_the_folder_are_gone_after_the_block() -> None:
    with process_group() as group:
        child = group.start(["sleep", "600"], "log")
        assert is_alive(child.pid)
        assert (group.folder / "log").exists()
    child.wait(timeout=10)
    assert not group.folder.exists()


@pytest.mark.parametrize("env", [None, {**os.environ, "TMPDIR": "/var/tmp"}])
def test_temporary_files_of_a_program_are_in_the_folder(env: dict[str, str] | None) -> None:
    where = [sys.executable, "-c", "import tempfile; print(tempfile.gettempdir())"]
    with process_group() as group:
        group.start(where, "log", env=env).wait()
        assert last_line(group.folder / "log") == str(group.folder)


def test_a_program_of_the_group_and_the_folder_are_gone_after_the_owner_was_killed() -> None:
    command = [sys.executable, "-c", OWNER]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        assert owner.stdout is not None
        pid, folder = owner.stdout.readline().split()
        assert is_alive(int(pid))
        os.kill(owner.pid, signal.SIGKILL)
    eventually(lambda: not is_alive(int(pid)) and not Path(folder).exists(), 10)


def joined(group: ProcessGroup) -> bool:
    """Let a child process join a group, and return whether it has."""
    child = os.fork()
    if child == 0:
        has_joined = group.join() and os.getpgid(0) == group.id
        os._exit(0 if has_joined else 1)
    return os.waitpid(child, 0)[1] == 0


def test_a_process_does_not_join_a_group_that_is_ending_or_has_ended() -> None:
    with process_group() as group:
        assert joined(group)
        shutil.rmtree(group.folder)  # what the guard does before it kills the members it finds
        assert not joined(group)
    assert not joined(group)


def test_the_last_line_of_a_log_is_its_last_line_that_is_not_blank(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert last_line(log) == "it left no log"
    log.write_text("")
    assert last_line(log) == "its log is empty"
    log.write_text("first\n  last \n\n")
    assert last_line(log) == "last"

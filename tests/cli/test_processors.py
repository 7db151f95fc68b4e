"""The number of processes that commands start by default."""

import os
import subprocess
import sys

import pytest

from cli.options import processors

SCRIPT = "from cli.options import processors; print(processors())"


def test_a_process_uses_the_processors_it_is_restricted_to() -> None:
    one = min(os.sched_getaffinity(0))
    restricted = f"import os; os.sched_setaffinity(0, [{one}]); {SCRIPT}"
    assert int(subprocess.check_output([sys.executable, "-c", restricted])) == 1


def test_all_processors_are_used_where_a_process_cannot_be_restricted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.platform", "darwin")
    monkeypatch.delattr("os.sched_getaffinity")
    assert processors() == os.cpu_count()

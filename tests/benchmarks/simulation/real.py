"""Real searches on few processes, to be compared with simulated ones."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import execute
from worker.exact_cover.problem import Problem
from worker.local.backend import find_redis, private_redis
from worker.local.process_group import process_group

#: all solutions, and more time than any search takes
OPTIONS = ("--limit", "all", "--timeout", "3000")


class Real(NamedTuple):
    """What a search took."""

    seconds: float  #: from its beginning to its answer, without the estimate of its size
    cpu: float  #: seconds of CPU time of the kernel
    nodes: int
    parts: int
    turns: int


def cover(problem: Problem) -> str:
    """Return a problem as a line of JSON."""
    starts = problem.first.tolist()
    members = problem.members.tolist()
    options = [members[start:end] for start, end in pairwise(starts)]
    secondary = problem.items - problem.primary
    return json.dumps({"items": problem.primary, "secondary": secondary, "options": options})


def solve(line: str, processes: int) -> Real:
    """Search with `bullseye solve`."""
    with tempfile.TemporaryDirectory() as folder:
        bullseye = Bullseye(Path(folder), "")
        bullseye.out("solve", *OPTIONS, "-j", str(processes), "-", stdin=line)
        return _stored(bullseye)


def submit(line: str, processes: int, database: str | None = None) -> Real:
    """Search with a worker of so many processes, on an empty database or on SQLite."""
    with _site(database) as bullseye, bullseye.worker(processes):
        eventually(lambda: bullseye.live_workers() == 1)
        bullseye.out("submit", *OPTIONS, "--wait", "-", stdin=line)
        return _stored(bullseye)


@contextmanager
def _site(database: str | None) -> Iterator[Bullseye]:
    program = find_redis()
    assert program is not None, "no Redis program"
    with ExitStack() as stack:
        home = stack.enter_context(process_group())
        url = stack.enter_context(private_redis(home, program))
        settings = {"BULLSEYE_DATABASE_URL": database} if database else {}
        yield Bullseye(home.folder, url, settings)


def _stored(bullseye: Bullseye) -> Real:
    """Return what the last search of the database took."""
    last = "SELECT id, began_at, ended_at, ns, nodes, parts FROM search ORDER BY id DESC LIMIT 1"
    ((search, began, ended, ns, nodes, parts),) = execute(bullseye, last)
    of_parts = "SELECT sum(turns) FROM part WHERE search_id = :search"
    ((turns,),) = execute(bullseye, of_parts, search=search)
    seconds = _time(ended) - _time(began)
    return Real(seconds, _number(ns) / 1e9, _number(nodes), _number(parts), _number(turns))


def _time(stored: object) -> float:
    return datetime.fromisoformat(str(stored)).timestamp()


def _number(stored: object) -> int:
    return int(str(stored))

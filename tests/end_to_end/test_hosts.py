"""Workers on two hosts: network partitions, a lost host, a wrong clock."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from storage.values import Kind
from tests import services
from tests.end_to_end.bullseye import COMMAND, Bullseye, eventually, kill
from tests.end_to_end.hosts import Host, network
from tests.end_to_end.load import QUICK, execute, submit
from tests.worker.attempt.crew import queens
from worker.local.process_group import ProcessGroup
from worker.options import Options
from worker.solve import search

#: the library that changes the clock of a process
FAKETIME = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)


@dataclass(frozen=True)
class Site:
    """PostgreSQL and Redis on one machine, workers on several hosts."""

    bullseye: Bullseye
    hosts: tuple[Host, ...]

    def at(self, host: Host, *program: str) -> Bullseye:
        """Return the installation with its workers on `host`."""
        return replace(self.bullseye, program=(*host.inside, *(program or (*COMMAND, "worker"))))

    def answered_at(self, host: Host) -> int:
        """Return the number of answers that workers on `host` stored."""
        count = "SELECT count(*) FROM answers WHERE worker LIKE :host"
        return int(str(execute(self.bullseye, count, host=f"%@{host.name}")[0][0]))


@pytest.fixture
def site(tmp_path: Path, home: ProcessGroup, redis_program: Path) -> Iterator[Site]:
    programs = services.find_postgresql() or services.missing("postgresql")
    with ExitStack() as stack:
        net = stack.enter_context(network())
        postgresql = stack.enter_context(services.postgresql(programs, net.address))
        redis = stack.enter_context(services.redis_server(redis_program, home, net.address))
        settings = QUICK | {"BULLSEYE_DATABASE_URL": postgresql.url}
        bullseye = Bullseye(tmp_path, redis, settings)
        hosts = (stack.enter_context(net.host(1)), stack.enter_context(net.host(2)))
        yield Site(bullseye, hosts)


@pytest.mark.soak
@pytest.mark.parametrize(("visibility", "cut"), [(4, 5), (20, 45)])
def test_a_network_partition_that_heals_loses_nothing(
    site: Site, visibility: float, cut: float
) -> None:
    worker = (sys.executable, "-m", "tests.end_to_end.short_visibility_worker", str(visibility))
    far, near = site.hosts
    with site.at(far, *worker).worker(2), site.at(near, *worker).worker(2):
        load = submit(site.bullseye, 80, 12_000)
        eventually(lambda: site.answered_at(far) > 0 and site.answered_at(near) > 0)
        far.cut()
        time.sleep(cut)  # the fault itself
        far.restore()
        load.assert_complete(120)
        before = site.answered_at(far)
        more = submit(site.bullseye, 81, 12_000)
        eventually(lambda: site.answered_at(far) > before)
        more.assert_complete(120)


@pytest.mark.soak
@pytest.mark.attack
def test_a_lost_host_is_replaced_by_another(site: Site) -> None:
    lost, left = site.hosts
    with site.at(lost).worker(2) as worker, site.at(left).worker(2):
        load = submit(site.bullseye, 82, 10_000)
        eventually(lambda: site.answered_at(lost) > 0)
        lost.cut()
        kill(worker)
        load.assert_complete(120)


@contextmanager
def locked(site: Site, host: Host) -> Iterator[None]:
    """Run a program on `host` that locks all chunks."""
    program = (
        "import os, sys, time\n"
        "from sqlalchemy import text\n"
        "from storage.database import open_database, write\n"
        "with write(open_database(os.environ['BULLSEYE_DATABASE_URL'])) as connection:\n"
        "    connection.execute(text('UPDATE chunk SET attempts = attempts'))\n"
        "    print('locked', file=sys.stderr, flush=True)\n"
        "    time.sleep(3600)\n"
    )
    holder = site.at(host, sys.executable, "-c", program)
    with holder.worker():
        (log,) = site.bullseye.folder.glob("worker-*.log")
        eventually(lambda: "locked" in log.read_text())
        yield


@pytest.mark.soak
def test_a_database_lock_of_a_lost_host_is_released(site: Site) -> None:
    lost, left = site.hosts
    load = submit(site.bullseye, 83, 300)
    with locked(site, lost):
        lost.cut()
        with site.at(left).worker(2):
            load.assert_complete(60)


@pytest.mark.soak
def test_a_clock_that_is_ten_minutes_ahead_changes_nothing(site: Site) -> None:
    library = FAKETIME or services.missing("faketime")
    ahead = ("env", f"LD_PRELOAD={library}", "FAKETIME=+600", "FAKETIME_DONT_FAKE_MONOTONIC=1")
    wrong, right = site.hosts
    load = submit(site.bullseye, 84, 5000)
    with site.at(wrong, *ahead, *COMMAND, "worker").worker(2), site.at(right).worker(2):
        load.assert_complete()
    assert site.answered_at(wrong) > 0
    assert execute(site.bullseye, "SELECT max(attempts) FROM chunk") == [(1,)]
    times = "SELECT max(solved_at) < now() + interval '1 minute' FROM answers"
    assert execute(site.bullseye, times) == [(True,)]


@pytest.fixture
def four_hosts(tmp_path: Path, home: ProcessGroup, redis_program: Path) -> Iterator[Site]:
    """A site of four hosts; PostgreSQL and Redis are on the first."""
    programs = services.find_postgresql() or services.missing("postgresql")
    with ExitStack() as stack:
        net = stack.enter_context(network())
        hosts = tuple(stack.enter_context(net.host(number)) for number in range(1, 5))
        at, inside = hosts[0].address, hosts[0].inside
        postgresql = stack.enter_context(
            services.postgresql(programs, at, durable=True, inside=inside)
        )
        redis = stack.enter_context(services.redis_server(redis_program, home, at, inside=inside))
        yield Site(Bullseye(tmp_path, redis, {"BULLSEYE_DATABASE_URL": postgresql.url}), hosts)


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_one_search_on_four_hosts_has_the_totals_of_one_process(four_hosts: Site) -> None:
    """16 queens, one process per host; prints what `show` prints of it."""
    bullseye, puzzle = four_hosts.bullseye, queens(16)
    with ExitStack() as stack:
        for host in four_hosts.hosts:
            stack.enter_context(four_hosts.at(host).worker(1))
        eventually(lambda: bullseye.live_workers() == len(four_hosts.hosts))
        bullseye.out("submit", "--limit", "all", "--timeout", "900", "--wait", "-", stdin=puzzle)
    shown = bullseye.out("show", "1")
    print(shown)  # noqa: T201
    (expected,) = (
        one
        for outcomes in search(Kind.COVER, [puzzle], Options(limit=None, timeout=900.0))
        for one in outcomes.rows()
    )
    found = execute(bullseye, "SELECT status, complete, solutions, nodes FROM answers")
    assert found == [("solved", 1, 14_772_512, expected.nodes)]
    assert expected.solutions == 14_772_512
    turns = execute(bullseye, "SELECT worker, turns FROM search_worker")
    assert {str(worker).partition("@")[2] for worker, _ in turns} == {
        host.name for host in four_hosts.hosts
    }
    assert "4 worker processes" in shown

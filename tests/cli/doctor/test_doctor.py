"""What the doctor finds, and what cures it."""

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.doctor import redis_checks
from cli.doctor.database_checks import clock
from cli.doctor.finding import Finding
from cli.doctor.run import examine
from cli.outbox import queue_of
from storage.database import open_database, write
from storage.tables import REVISION
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Bullseye, Filled, Said, finished
from worker.queue.carrier import Carrier
from worker.settings import Settings


def lines(said: Said) -> dict[str, str]:
    return {line.split()[1]: line for line in said.out.splitlines()}


def test_everything_is_well(filled: Filled, redis: str) -> None:
    said = finished("doctor")
    assert said.code == 0
    assert f"ok    database  {filled.path}, writable, schema {REVISION}" in said.out
    assert redis in lines(said)["redis"]
    assert lines(said)["policy"] == "ok    policy    noeviction"
    assert lines(said)["workers"] == "warn  workers   none is listening -> bullseye worker"


def check(settings: Settings, name: str) -> Finding:
    (found,) = (check for check in examine(settings) if check.name == name)
    return found


def test_workers_of_another_version_or_with_a_wrong_clock_are_named(
    filled: Filled, redis: str
) -> None:
    settings = Settings.from_env()
    carrier = Carrier.connect(redis, queue_of(settings, filled.engine))
    carrier.beat("near")
    told = json.dumps(["0.0.1, schema 0001", 600.0])
    carrier.beat("far")
    carrier.client.set(f"{carrier.queue}:worker:far", told)
    found = {line.split()[1]: line for line in finished("doctor").out.splitlines()}
    carrier.leave("near")
    carrier.leave("far")
    carrier.close()
    assert found["workers"].startswith("ok    workers   2 listening: far, near")
    assert "far is Bullseye 0.0.1, schema 0001, this is " in found["version"]
    assert "the clock of far is 600 s ahead of that of Redis -> " in found["clock"]
    assert not any("near is" in line for line in found.values())


def test_a_redis_too_small_for_the_room_is_named(filled: Filled, redis: str) -> None:
    assert filled.path.exists()
    carrier = Carrier.connect(redis, "")
    carrier.client.config_set("maxmemory", 100 << 20)
    found = check(Settings.from_env(), "memory")
    carrier.client.config_set("maxmemory", 0)
    carrier.close()
    assert (found.state, found.cure) == ("warn", f"set BULLSEYE_ROOM={50 << 20} for all programs")
    assert check(Settings.from_env(), "memory").state == "ok"


def test_a_redis_that_cannot_save_is_ill() -> None:
    found = redis_checks._saving({"rdb_last_bgsave_status": "err"})
    assert (found.state, found.exit) == ("fail", 1)
    assert redis_checks._saving({"rdb_last_bgsave_status": "ok"}).state == "ok"


def test_a_lease_longer_than_messages_stay_away_is_ill(
    filled: Filled, redis: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert redis
    assert filled.path.exists()
    assert check(Settings.from_env(), "messages").state == "ok"
    monkeypatch.setenv("BULLSEYE_LEASE", "900")
    found = check(Settings.from_env(), "messages")
    assert (found.state, found.cure) == ("fail", "set BULLSEYE_LEASE below 900")


def test_a_puzzle_that_may_take_longer_than_messages_stay_away_is_named(
    filled: Filled, redis: str
) -> None:
    assert redis
    batch = filled.store([UNIQUE], waiting=1)
    with write(filled.engine) as connection:
        connection.exec_driver_sql(
            f"UPDATE batch SET options = json_set(options, '$.timeout', 3600) WHERE id = {batch}"
        )
        connection.exec_driver_sql("UPDATE chunk SET state = 'sent' WHERE state = 'new'")
    found = check(Settings.from_env(), "messages")
    assert (found.state, found.found[:24]) == ("warn", "a puzzle may take 3600 s")


def test_what_others_wrote_into_the_queue_is_counted(filled: Filled, redis: str) -> None:
    settings = Settings.from_env()
    assert check(settings, "strangers").state == "ok"
    carrier = Carrier.connect(redis, queue_of(settings, filled.engine))
    carrier.count_refused()
    carrier.count_refused()
    found = check(settings, "strangers")
    assert (found.state, found.found[:24]) == ("warn", "workers refused 2 things")
    assert found.cure.endswith(f"redis-cli del {carrier.queue}:refused")
    carrier.client.delete(f"{carrier.queue}:refused")
    carrier.close()


def test_chunks_that_nobody_renews_are_named(filled: Filled, redis: str) -> None:
    assert redis
    batch = filled.store([UNIQUE], waiting=1)
    assert check(Settings.from_env(), "chunks").found == "none is stuck"
    with write(filled.engine) as connection:
        connection.exec_driver_sql(
            "UPDATE chunk SET state = 'taken', taken_at = '2001-01-01T00:00:00.000Z'"
            " WHERE state = 'new'"
        )
    found = check(Settings.from_env(), "chunks")
    assert found.line().startswith(
        f"warn  chunks    1 chunk of batch {batch} not renewed for 120 s -> bullseye worker"
    )


@pytest.mark.parametrize(("free", "state"), [(1 << 20, "fail"), (1 << 30, "warn"), (1 << 34, "ok")])
def test_a_disk_with_little_room_is_named(
    filled: Filled, monkeypatch: pytest.MonkeyPatch, free: int, state: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    assert check(Settings.from_env(), "disk").state == state
    assert filled.path.exists()


def test_clocks_that_differ_by_more_than_a_few_seconds_are_named() -> None:
    assert clock("clock", -3.0, "ours", "theirs").state == "ok"
    assert clock("clock", -90.0, "ours", "theirs").found == "ours is 90 s behind theirs"


def test_a_servers_clock_is_compared_with_ours(postgresql_url: str) -> None:
    settings = Settings(postgresql_url)
    open_database(postgresql_url, migrate=True).dispose()
    assert check(settings, "clock").found == "this machine's clock agrees with the database's"


def test_without_redis_it_is_69_and_says_how_to_get_one(bullseye: Bullseye, filled: Filled) -> None:
    assert filled.path.exists()
    said = bullseye("doctor")
    assert said.code == 69
    assert lines(said)["redis"].startswith("fail  redis     cannot reach Redis at 127.0.0.1:1 (")
    assert " -> start it" in lines(said)["redis"]


def test_no_database_yet_is_no_illness(bullseye: Bullseye, home: Path) -> None:
    line = lines(bullseye("doctor"))["database"]
    assert line.startswith("warn")
    assert line.endswith("-> the first solve makes it")
    assert list(home.iterdir()) == []


def test_json_has_a_check_an_object(bullseye: Bullseye, filled: Filled) -> None:
    assert filled.path.exists()
    told = json.loads(bullseye("doctor", "--json").out)
    names = ["python", "packages", "database", "disk", "chunks", "redis"]
    assert [check["check"] for check in told] == names
    assert told[-1]["state"] == "fail"
    assert told[-1]["cure"].startswith("start it")


def test_a_file_that_is_no_database_is_ill(bullseye: Bullseye, home: Path) -> None:
    (home / "bullseye.db").write_text("nothing that SQLite knows\n" * 100)
    assert lines(bullseye("doctor"))["database"].startswith("fail")


def test_every_line_that_is_not_ok_ends_with_its_cure(home: Path) -> None:
    (home / "bullseye.db").write_text("nothing that SQLite knows\n" * 100)
    for check in examine(Settings.from_env()):
        assert check.state == "ok" or check.cure

"""Findings of `bullseye doctor` and their fixes."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from cli.doctor.checks import check_persistence, run_checks
from cli.doctor.database_checks import check_clock, check_disk
from cli.doctor.finding import Finding
from cli.errors import Exit
from storage.database import open_database, write
from storage.outbox import leases
from storage.tables import REVISION
from storage.values import WRONG_ANSWER
from tests.cli.answers import UNIQUE
from tests.cli.conftest import Bullseye, Database, Result
from tests.storage.searching.harness import SearchHarness
from worker.queue.carrier import Carrier
from worker.queue.dispatch import queue_of
from worker.queue.message import WorkerInfo
from worker.settings import Settings


def lines(result: Result) -> dict[str, str]:
    return {line.split()[1]: line for line in result.out.splitlines()}


def test_with_all_services_running_no_check_fails(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    result = bullseye("doctor")
    assert result.code == 0
    assert f"ok    database  {database.path}, writable, schema {REVISION}" in result.out
    assert redis in lines(result)["redis"]
    assert lines(result)["policy"] == "ok    policy    noeviction"
    assert lines(result)["workers"] == "warn  workers   none is running -> bullseye worker"


def check(settings: Settings, name: str) -> Finding:
    (found,) = (check for check in run_checks(settings) if check.name == name)
    return found


def test_workers_with_another_version_or_a_wrong_clock_are_reported(
    bullseye: Bullseye, database: Database, redis: str
) -> None:
    settings = Settings.from_env()
    carrier = Carrier.connect(redis, queue_of(settings, database.engine))
    carrier.beat("near", WorkerInfo())
    heartbeat = json.dumps(["0.0.1, schema 0001", 600.0])
    carrier.beat("far", WorkerInfo())
    carrier.client.set(f"{carrier.queue}:worker:far", heartbeat)
    found = {line.split()[1]: line for line in bullseye("doctor").out.splitlines()}
    carrier.leave("near")
    carrier.leave("far")
    carrier.close()
    assert found["workers"].startswith("ok    workers   2 running: far (idle), near (idle)")
    assert "far runs Bullseye 0.0.1, schema 0001, this is " in found["version"]
    assert "the clock of far is 600 s ahead of that of Redis -> " in found["clock"]
    assert not any("near runs" in line for line in found.values())


def test_a_maxmemory_too_small_for_the_chunks_is_a_warning(database: Database, redis: str) -> None:
    carrier = Carrier.connect(redis, "")
    carrier.client.config_set("maxmemory", 20 << 20)
    found = check(Settings.from_env(), "memory")
    carrier.client.config_set("maxmemory", 0)
    carrier.close()
    assert (found.state, found.fix) == ("warn", f"set BULLSEYE_ROOM={10 << 20} for all programs")
    assert check(Settings.from_env(), "memory").state == "ok"


def test_a_redis_that_cannot_save_fails_its_check() -> None:
    found = check_persistence({"rdb_last_bgsave_status": "err"})
    assert (found.state, found.exit) == ("fail", 1)
    assert check_persistence({"rdb_last_bgsave_status": "ok"}).state == "ok"


def test_a_lease_longer_than_the_visibility_timeout_fails_its_check(
    database: Database, redis: str
) -> None:
    assert check(Settings.from_env(), "messages").state == "ok"
    queue = queue_of(Settings.from_env(), database.engine)
    with write(database.engine) as connection:
        leases.store_seconds(connection, queue, 900.0)
    found = check(Settings.from_env(), "messages")
    assert (found.state, found.fix) == (
        "fail",
        "set BULLSEYE_LEASE below 900 and restart the workers",
    )


def test_a_time_limit_above_the_visibility_timeout_is_a_warning(
    database: Database, redis: str
) -> None:
    batch = database.store([UNIQUE], waiting=1)
    with write(database.engine) as connection:
        connection.exec_driver_sql(
            f"UPDATE batch SET options = json_set(options, '$.timeout', 3600) WHERE id = {batch}"
        )
        connection.exec_driver_sql("UPDATE chunk SET state = 'sent' WHERE state = 'new'")
    found = check(Settings.from_env(), "messages")
    assert (found.state, found.found[:24]) == ("warn", "a puzzle may take 3600 s")


def test_foreign_messages_are_counted(database: Database, redis: str) -> None:
    settings = Settings.from_env()
    assert check(settings, "foreign").state == "ok"
    carrier = Carrier.connect(redis, queue_of(settings, database.engine))
    carrier.count_rejected()
    carrier.count_rejected()
    found = check(settings, "foreign")
    assert (found.state, found.found) == (
        "warn",
        "foreign messages: workers rejected 2 in this queue; see their logs",
    )
    assert found.fix.endswith(f"redis-cli del {carrier.queue}:refused")
    carrier.client.delete(f"{carrier.queue}:refused")
    carrier.close()


def test_expired_leases_are_a_warning(database: Database, redis: str) -> None:
    batch = database.store([UNIQUE], waiting=1)
    assert check(Settings.from_env(), "chunks").found == "no expired lease"
    with write(database.engine) as connection:
        connection.exec_driver_sql(
            "UPDATE chunk SET state = 'taken', taken_at = '2001-01-01T00:00:00.000Z'"
            " WHERE state = 'new'"
        )
    found = check(Settings.from_env(), "chunks")
    assert found.line().startswith(
        f"warn  chunks    1 chunk of batch {batch} not renewed for 120 s -> bullseye worker"
    )


def test_totals_of_a_search_that_differ_from_the_sums_over_its_parts_fail_their_check(
    bullseye: Bullseye, database: Database
) -> None:
    batch = SearchHarness(database.engine).begin(
        [("left", 0.5, None, ()), ("right", 0.5, None, ())]
    )
    assert check(Settings.from_env(), "searches").state == "ok"
    with write(database.engine) as connection:
        connection.exec_driver_sql("UPDATE search SET solutions = '9' || solutions")
    assert lines(bullseye("doctor"))["searches"] == (
        "fail  searches  the totals of 1 search are not the sums over the parts: puzzle"
        f" {batch.first_id} -> submit such a puzzle again, without --reuse; do not use its answer"
    )
    assert check(Settings.from_env(), "searches").exit == Exit.SOME_FAILED


def test_answers_that_failed_their_check_are_counted_by_batch(
    bullseye: Bullseye, database: Database
) -> None:
    wrong = UNIQUE._replace(
        status="failed", solution=None, detail=WRONG_ANSWER + "row 1 has 1 twice"
    )
    died = wrong._replace(id=63, detail="its worker died")
    database.store([died])
    assert check(Settings.from_env(), "answers").state == "ok"
    batch = database.store([wrong, UNIQUE._replace(id=64)])
    assert lines(bullseye("doctor"))["answers"].startswith(
        f"fail  answers   the solver returned 1 wrong answer in batch {batch}, stored as failed -> "
        f"bullseye results {batch} --status failed"
    )
    assert check(Settings.from_env(), "answers").exit == Exit.SOME_FAILED


@pytest.mark.parametrize(("free", "state"), [(1 << 20, "fail"), (1 << 30, "warn"), (1 << 34, "ok")])
def test_little_free_disk_space_is_reported(home: Path, free: int, state: str) -> None:
    found = check_disk(home, free)
    assert (found.state, bool(found.fix)) == (state, state != "ok")
    assert found.found == f"{free / 1e9:.1f} GB free in {home}"


def test_clocks_that_differ_by_more_than_5_s_are_a_warning() -> None:
    assert check_clock("ours", "theirs", -3.0).state == "ok"
    assert check_clock("ours", "theirs", -90.0).found == "ours is 90 s behind theirs"


def test_the_clock_of_postgresql_is_compared_with_ours(postgresql_url: str) -> None:
    settings = Settings(postgresql_url)
    open_database(postgresql_url, migrate=True).dispose()
    assert check(settings, "clock").found == "this machine's clock agrees with the database's"


def test_without_redis_doctor_exits_with_69_and_names_a_fix(
    bullseye: Bullseye, database: Database
) -> None:
    result = bullseye("doctor")
    assert result.code == 69
    assert lines(result)["redis"].startswith("fail  redis     cannot reach Redis at 127.0.0.1:1 (")
    assert " -> start it" in lines(result)["redis"]


def test_an_invalid_redis_url_fails_its_check(database: Database) -> None:
    settings = replace(Settings.from_env(), redis_url="http://localhost")
    found = check(settings, "redis")
    assert (found.state, found.exit) == ("fail", 69)
    assert found.found == "http://localhost is not a Redis URL"
    assert found.fix.startswith("write redis://")


def test_a_missing_database_is_a_warning_and_is_not_created(bullseye: Bullseye, home: Path) -> None:
    line = lines(bullseye("doctor"))["database"]
    assert line.startswith("warn")
    assert line.endswith("-> the first solve creates it")
    assert list(home.iterdir()) == []


def test_json_has_an_object_for_each_check(bullseye: Bullseye, database: Database) -> None:
    found = json.loads(bullseye("doctor", "--json").out)
    names = ["python", "packages", "database", "disk", "chunks", "searches", "answers", "redis"]
    assert [check["check"] for check in found] == names
    assert found[-1]["state"] == "fail"
    assert found[-1]["cure"].startswith("start it")


@pytest.mark.parametrize(
    ("schema", "state", "code", "fix"),
    [("9999", "fail", 69, "upgrade Bullseye"), ("0000", "warn", 0, "the next solve, submit or")],
)
def test_a_newer_schema_fails_its_check_and_an_older_one_is_a_warning(
    database: Database, schema: str, state: str, code: int, fix: str
) -> None:
    with write(database.engine) as connection:
        connection.exec_driver_sql(f"UPDATE alembic_version SET version_num = '{schema}'")
    found = check(Settings.from_env(), "database")
    assert (found.state, found.exit) == (state, code)
    assert f"(schema {schema}" in found.found
    assert found.fix.startswith(fix)


def test_a_file_that_is_not_a_database_fails_its_check(bullseye: Bullseye, home: Path) -> None:
    (home / "bullseye.db").write_text("nothing that SQLite knows\n" * 100)
    assert lines(bullseye("doctor"))["database"].startswith("fail")


def test_every_finding_that_is_not_ok_has_a_fix(home: Path) -> None:
    (home / "bullseye.db").write_text("nothing that SQLite knows\n" * 100)
    for check in run_checks(Settings.from_env()):
        assert check.state == "ok" or check.fix


def test_a_deep_check_reads_all_answers(bullseye: Bullseye, database: Database, redis: str) -> None:
    database.store([UNIQUE, UNIQUE], waiting=1)
    result = bullseye("doctor", "--deep")
    assert result.code == 0
    assert lines(result)["integrity"] == (
        "ok    integrity each of 3 puzzles in 1 batch has one answer or waits for it; summaries "
        "equal a scan"
    )
    with write(database.engine) as connection:
        connection.exec_driver_sql("DELETE FROM answer WHERE id = 1")
    assert "integrity" not in lines(bullseye("doctor"))
    result = bullseye("doctor", "--deep")
    assert result.code == 1
    assert "fail  integrity batch 1: " in result.out

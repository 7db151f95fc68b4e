"""What the doctor finds, and what cures it."""

import json
from pathlib import Path

from cli.checks import examine
from tests.cli.conftest import Bullseye, Filled, Said, finished
from worker.settings import Settings


def lines(said: Said) -> dict[str, str]:
    return {line.split()[1]: line for line in said.out.splitlines()}


def test_everything_is_well(filled: Filled, redis: str) -> None:
    said = finished("doctor")
    assert said.code == 0
    assert f"ok    database  {filled.path}, writable" in said.out
    assert redis in lines(said)["redis"]
    assert lines(said)["policy"] == "ok    policy    noeviction"
    assert lines(said)["workers"] == "warn  workers   none is listening -> bullseye worker"


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
    assert [check["check"] for check in told] == ["python", "packages", "database", "redis"]
    assert told[-1]["state"] == "fail"
    assert told[-1]["cure"].startswith("start it")


def test_a_file_that_is_no_database_is_ill(bullseye: Bullseye, home: Path) -> None:
    (home / "bullseye.db").write_text("nothing that SQLite knows\n" * 100)
    assert lines(bullseye("doctor"))["database"].startswith("fail")


def test_every_line_that_is_not_ok_ends_with_its_cure(home: Path) -> None:
    (home / "bullseye.db").write_text("nothing that SQLite knows\n" * 100)
    for check in examine(Settings.from_env()):
        assert check.state == "ok" or check.cure

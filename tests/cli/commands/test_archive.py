"""`bullseye export` and `bullseye archive`, and the commands that read an archived batch."""

import importlib.util
import re
from pathlib import Path

import pytest

from tests.cli.answers import ALL
from tests.cli.conftest import Bullseye, Database

COMMANDS = (
    ("results", 1),
    ("results", "--where", "clues > 20", "--sort", "-ms", "-f", "csv"),
    ("results", "sunday", "--count"),
    ("show", 1, "--all"),
    ("show", 3),
    ("stats", 1, "--exact"),
    ("stats", 1, "--html", "-"),
    ("query", "SELECT status, count(*) FROM answers GROUP BY status ORDER BY status"),
)


def printed(bullseye: Bullseye) -> list[str]:
    """Return what the commands print, without the time at which a page was made."""
    results = [bullseye(*command) for command in COMMANDS]
    assert [result.code for result in results] == [0] * len(COMMANDS)
    return [re.sub(r"[\d-]+ [\d:]+ UTC", "", result.out) for result in results]


def test_commands_print_the_same_about_an_archived_batch(
    bullseye: Bullseye, database: Database, home: Path
) -> None:
    database.store(ALL, name="sunday")
    before = printed(bullseye)
    result = bullseye("archive", "sunday", "--vacuum")
    assert (result.code, result.out) == (0, "")
    archived, vacuum = result.err.splitlines()
    files = home / "archive" / "batch-1"
    assert re.fullmatch(
        rf"archived: batch 1 sunday · {len(ALL)} answers in {files} \(1 file, .* kB\)", archived
    )
    assert vacuum.startswith("database: ")
    assert printed(bullseye) == before
    assert "archived" in bullseye("status").out
    assert '"state": "archived"' in bullseye("status", 1, "--json").out
    assert bullseye("archive", 1).err.startswith("archived before: batch 1 sunday")
    assert "the files" in bullseye("doctor", "--deep").out
    result = bullseye("delete", 1, "--yes")
    assert result.err == f"deleted batch 1 sunday · its answers in {files} remain there\n"
    assert [path.name for path in files.iterdir()] == ["answers-1.parquet"]


def test_a_finished_batch_is_exported(bullseye: Bullseye, database: Database, home: Path) -> None:
    database.store(ALL)
    result = bullseye("export", 1, "--parquet", "exports")
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith(f"batch 1 · {len(ALL)} answers in {home}/exports/batch-1 (1 file")
    again = bullseye("export", 1, "--parquet", "exports")
    assert (again.code, again.err) == (0, f"exported before: {result.err}")


def test_an_unfinished_batch_is_refused(bullseye: Bullseye, database: Database, home: Path) -> None:
    database.store(ALL[:3], waiting=2)
    for command in ("export", "archive"):
        result = bullseye(command, 1, "--parquet", "exports")
        assert result.code == 2
        assert result.err == (
            "error: batch 1 is not finished (3 of 5 answers): wait for it, or re-run the rest with "
            "bullseye retry\n"
        )
    assert not (home / "exports").exists()


def test_a_missing_file_is_named(bullseye: Bullseye, database: Database, home: Path) -> None:
    database.store(ALL)
    bullseye("archive", 1)
    (home / "archive").rename(home / "elsewhere")
    path = home / "archive" / "batch-1" / "answers-1.parquet"
    result = bullseye("results", 1)
    assert result.code == 1
    assert result.err.replace("\n       ", " ").startswith(f"error: {path} has archived answers")
    for options in ((), ("--deep",)):
        found = bullseye("doctor", *options)
        assert f"fail  archive   missing, or of another size: {path}" in found.out


def test_without_its_packages_the_message_names_the_extra(
    bullseye: Bullseye, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    database.store(ALL)
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "duckdb" else find(name)
    )
    result = bullseye("archive", 1)
    assert result.code == 2
    assert result.err == "error: this needs duckdb: pip install 'bullseye[archive]'\n"

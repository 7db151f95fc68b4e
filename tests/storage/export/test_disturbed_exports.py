"""Exports that another process, a `retry` or a full disk disturbs leave nothing incomplete."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from storage.database import open_database
from storage.errors import BatchIncomplete, ExportFailed
from storage.export import archiving
from storage.export.archiving import Exported
from storage.values import ANSWERS
from tests.storage.export.test_archiving import batch_of, solved  # noqa: F401 # a fixture
from tests.storage.harness import Harness


def at_statement(engine: Engine, words: str, number: int, action: Callable[[], object]) -> None:
    """Call a function before one of the statements with these words, once."""
    left = [number]

    def act(_: Any, __: Any, statement: str, *___: Any) -> None:
        left[0] -= words in statement
        if not left[0] and words in statement:
            action()

    event.listen(engine, "before_cursor_execute", act)


@pytest.mark.attack
@pytest.mark.parametrize("command", [archiving.export, archiving.archive])
def test_of_two_exports_at_a_time_one_is_refused_and_the_other_complete(
    solved: Harness,  # noqa: F811
    tmp_path: Path,
    command: Callable[..., Exported],
) -> None:
    def again() -> None:
        other = open_database(url)
        for second in (archiving.export, archiving.archive):
            with pytest.raises(ExportFailed, match=r"another process is writing .*: wait for it"):
                second(other, 1, tmp_path)
        other.dispose()

    url = solved.engine.url.render_as_string(hide_password=False)
    at_statement(solved.engine, "FROM meta", 2, again)
    made = command(solved.engine, 1, tmp_path)
    assert made.is_new
    assert sum(one.rows for one in made.files if one.content == ANSWERS) == 7
    assert list(tmp_path.glob("*batch*")) == [tmp_path / "batch-1"]


@pytest.mark.attack
@pytest.mark.parametrize("command", [archiving.export, archiving.archive])
@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_retry_while_files_are_written_or_compared_leaves_none(
    solved: Harness,  # noqa: F811
    tmp_path: Path,
    command: Callable[..., Exported],
    number: int,
) -> None:
    def retry() -> None:
        other = Harness(open_database(url))
        assert other.retry(batch_of(other, 1))
        other.engine.dispose()

    url = solved.engine.url.render_as_string(hide_password=False)
    at_statement(solved.engine, "FROM meta", number, retry)
    with pytest.raises(BatchIncomplete, match="batch 1 has changed meanwhile: repeat"):
        command(solved.engine, 1, tmp_path)
    assert list(tmp_path.glob("*batch*")) == []


@pytest.mark.attack
def test_an_export_that_fails_leaves_no_folder(
    solved: Harness,  # noqa: F811
    tmp_path: Path,
) -> None:
    parent = tmp_path / "exports" / ".." / "others" / "new"
    before = set(tmp_path.iterdir())

    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    for command in (archiving.export, archiving.archive):
        at_statement(solved.engine, "FROM meta", 2, fail)
        with pytest.raises(ExportFailed, match="No space left on device"):
            command(solved.engine, 1, parent)
        assert set(tmp_path.iterdir()) == before
    assert archiving.export(solved.engine, 1, parent).folder == tmp_path / "others/new/batch-1"
    assert not (tmp_path / "exports").exists()

"""Nearly all files that people have are read right, and the others are rejected by their names."""

import io

import pytest

from tests.worker.formats.collected import files
from worker.formats.errors import FormatError
from worker.formats.source import source_of

FILES = {name: (content, wanted) for name, content, wanted in files()}
READ = [name for name, (_, wanted) in FILES.items() if isinstance(wanted, tuple)]
REJECTED = [name for name in FILES if name not in READ]


def content_of(name: str) -> io.BytesIO:
    content = FILES[name][0]
    return io.BytesIO(content.encode() if isinstance(content, str) else content)


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read(name: str) -> None:
    found = [(one.text, one.error) for one in source_of(name, content_of(name))]
    assert found == [(grid, None) for grid in FILES[name][1]]


@pytest.mark.parametrize("name", REJECTED)
def test_a_file_is_rejected_with_the_reason(name: str) -> None:
    wanted = str(FILES[name][1])
    try:
        errors = [one.error for one in source_of(name, content_of(name))]
    except FormatError as error:
        errors = [str(error)]
    assert any(wanted in (error or "") for error in errors)
    assert all(errors)


def test_there_are_many_such_files_and_few_are_rejected() -> None:
    assert len(FILES) >= 120
    assert len(REJECTED) <= len(FILES) / 10

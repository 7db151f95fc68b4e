"""Every documented format has a file in tests/data, and a file with its expected puzzles."""

from pathlib import Path

import pytest

from tests.worker.formats.reading import DATA, flags, judge_format
from worker.formats.errors import FormatError
from worker.formats.layout import FORMATS
from worker.formats.source import open_source

FILES = sorted(p for p in (DATA / "formats").iterdir() if p.suffix != ".expected")
JUDGES = sorted((DATA / "judge").glob("*.in"))
REFUSED = {
    "comments.txt": (),
    "count.txt": (),
    "dashes-16x16.txt": ("rows",),
    "empty.txt": (),
    "numeric-items.txt": ("dlx",),
    "pencil-marks.ss": (),
    "prose.txt": (),
    "short.txt": (),
    "sixteens.txt": ("lines", "rows"),
    "tall-boxes.txt": (),
    "zero-16x16-line.txt": ("lines", "hex"),
    "zero-16x16.txt": ("rows", "hex"),
    "zero-one-line.txt": ("lines", "matrix"),
    "zero-one-rows.txt": ("rows", "matrix"),
    "zero-one-spaced.txt": ("spaced", "matrix"),
}


def _name(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_each_format_is_detected_and_read(path: Path) -> None:
    expected = path.with_name(path.name + ".expected").read_text().splitlines()
    with open_source(str(path)) as source:
        entries = list(source)
    assert [entry.error for entry in entries] == [None] * len(expected)
    assert [entry.text for entry in entries] == expected


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_naming_the_detected_format_changes_nothing(path: Path) -> None:
    with open_source(str(path)) as source:
        layout, entries = source.layout, list(source)
    with open_source(str(path), layout.format) as source:
        assert source.layout == layout
        assert list(source) == entries


@pytest.mark.parametrize("path", JUDGES, ids=_name)
def test_each_judges_input_is_detected_and_read(path: Path) -> None:
    with open_source(str(path), judge_format(path.stem)) as source:
        entries = list(source)
    assert entries
    assert not [entry for entry in entries if entry.error]


def test_every_rejected_file_has_its_flags() -> None:
    assert sorted(path.name for path in (DATA / "refused").iterdir()) == sorted(REFUSED)


@pytest.mark.parametrize("name", REFUSED)
def test_an_ambiguous_file_is_rejected_with_the_flags_that_resolve_it(name: str) -> None:
    path = str(DATA / "refused" / name)
    with pytest.raises(FormatError) as refusal, open_source(path) as source:
        list(source)
    assert flags(refusal.value) == REFUSED[name]
    message = str(refusal.value)
    assert message.startswith(path)
    assert "\n" not in message
    assert all(f"--from {flag}" in message for flag in REFUSED[name])
    assert (" line " in message) == bool(refusal.value.line)


@pytest.mark.parametrize("name", [n for n, flags in REFUSED.items() if len(flags) > 1])
def test_each_flag_in_a_rejection_reads_the_file(name: str) -> None:
    for flag in REFUSED[name]:
        assert flag in FORMATS
        with open_source(str(DATA / "refused" / name), flag) as source:
            assert source.layout.format == flag
            assert not [entry for entry in source if entry.error]


def test_numeric_items_are_read_with_from_dlx() -> None:
    with open_source(str(DATA / "refused" / "numeric-items.txt"), "dlx") as source:
        (entry,) = source
    assert '"options":[[3,5],[1,4,7],[2,3,6],[1,4,6],[2,7],[4,5,7]]' in entry.text

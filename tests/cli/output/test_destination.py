"""Output files and default formats."""

import os
import stat
from pathlib import Path

import pytest

from cli.errors import OutputError
from cli.output.destination import open_output
from cli.output.formats import choose_format


@pytest.mark.parametrize(
    ("requested", "output", "chosen"),
    [
        (None, None, "jsonl"),
        ("table", None, "table"),
        (None, "a.csv", "csv"),
        (None, "a.CSV", "csv"),
        (None, "a.jsonl", "jsonl"),
        (None, "a.out", "jsonl"),
        (None, "a.txt", "lines"),
        ("csv", "a.parquet", "csv"),
        ("lines", "a.csv", "lines"),
    ],
)
def test_the_default_format_depends_on_the_output(
    requested: str | None, output: str | None, chosen: str
) -> None:
    assert choose_format(requested, output) == chosen


def test_a_file_appears_when_it_is_complete(home: Path) -> None:
    with open_output("out.csv") as out:
        out.write("a,b\n")
        assert not Path("out.csv").exists()
    assert (home / "out.csv").read_bytes() == b"a,b\n"
    assert list(home.iterdir()) == [home / "out.csv"]


def test_after_an_error_the_old_file_is_unchanged(home: Path) -> None:
    (home / "out.csv").write_text("old\n")
    with pytest.raises(KeyError), open_output("out.csv") as out:
        out.write("half")
        raise KeyError
    assert (home / "out.csv").read_text() == "old\n"
    assert list(home.iterdir()) == [home / "out.csv"]


def test_a_file_has_the_usual_permissions(home: Path) -> None:
    (home / "other").touch()
    with open_output("out.csv"):
        pass
    assert stat.S_IMODE(Path("out.csv").stat().st_mode) == stat.S_IMODE(
        Path("other").stat().st_mode
    )


def test_a_device_is_written_to_in_place() -> None:
    with open_output(os.devnull) as out:
        out.write("gone")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("place", ["missing/out.csv", "."])
def test_an_output_that_cannot_be_written_is_reported_before_any_work(place: str) -> None:
    with pytest.raises(OutputError, match=f"^cannot write {place}: "), open_output(place):
        raise AssertionError("nothing may be begun")

"""Output files and default formats."""

import gzip
import os
import stat
import sys
from pathlib import Path

import pytest

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from cli.errors import OutputError
from cli.output.destination import COMPRESSIONS, FORMAT_OF_SUFFIX, choose_format, open_output
from tests.cli.conftest import EASY, Bullseye
from worker.errors import BadUsage


@pytest.mark.parametrize(
    ("requested", "output", "chosen"),
    [
        (None, None, "jsonl"),
        ("table", None, "table"),
        (None, "a.csv", "csv"),
        (None, "a.CSV", "csv"),
        (None, "a.jsonl", "jsonl"),
        (None, "a.ndjson", "jsonl"),
        (None, "a.json", "json"),
        (None, "a.tsv", "tsv"),
        (None, "a.md", "md"),
        (None, "a.txt", "lines"),
        (None, "a.v2.csv.gz", "csv"),
        (None, "a.TSV.ZST", "tsv"),
        (None, os.devnull, "jsonl"),
        (None, "-", "jsonl"),
        ("csv", "a.parquet", "csv"),
        ("lines", "a.csv", "lines"),
        ("judge", "a.out", "judge"),
    ],
)
def test_the_default_format_depends_on_the_output(
    requested: str | None, output: str | None, chosen: str
) -> None:
    assert choose_format(requested, output) == chosen


@pytest.mark.parametrize("output", ["a.xls", "a.out", "answers", "a.gz", "a.tar.gz", "a.csv.bz2"])
def test_a_file_whose_ending_names_no_format_is_refused_with_the_known_endings(output: str) -> None:
    with pytest.raises(BadUsage, match=rf"cannot tell the format of {output} ") as refused:
        choose_format(None, output)
    assert all(ending in str(refused.value) for ending in (*FORMAT_OF_SUFFIX, *COMPRESSIONS, "-f"))


def test_parquet_is_not_compressed_twice() -> None:
    for requested in (None, "parquet"):
        with pytest.raises(BadUsage, match="Parquet is compressed by itself"):
            choose_format(requested, "a.parquet.gz")


@pytest.mark.parametrize("ending", COMPRESSIONS)
def test_a_file_is_compressed_as_its_ending_says(home: Path, ending: str) -> None:
    name = f"out.csv{ending}"
    with open_output(name) as out:
        out.write("näher\n" * 5000)
    data = (home / name).read_bytes()
    decompress = gzip.decompress if ending == ".gz" else zstd.decompress
    assert decompress(data).decode() == "näher\n" * 5000
    assert len(data) < 1000


def test_equal_answers_give_equal_compressed_files(home: Path) -> None:
    for name in ("a.csv.gz", "b.csv.gz"):
        with open_output(name) as out:
            out.write("the same\n")
    assert (home / "a.csv.gz").read_bytes() == (home / "b.csv.gz").read_bytes()


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


@pytest.mark.attack
def test_a_file_that_is_replaced_keeps_its_permissions(home: Path) -> None:
    path = Path("out.csv")
    path.touch(mode=0o600)
    with open_output("out.csv") as out:
        out.write("new")
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o600)


@pytest.mark.attack
@pytest.mark.parametrize("there", [True, False])
def test_a_link_remains_and_the_file_that_it_names_is_replaced(home: Path, there: bool) -> None:
    Path("folder").mkdir()
    target, link = Path("folder/target"), Path("out.csv.gz")
    if there:
        target.write_text("old")
        target.chmod(0o640)
    link.symlink_to(target)
    with pytest.raises(KeyError), open_output("out.csv.gz"):
        raise KeyError
    assert target.exists() == there
    with open_output("out.csv.gz") as out:
        out.write("new")
    assert link.is_symlink()
    assert gzip.decompress(target.read_bytes()) == b"new"
    assert not there or stat.S_IMODE(target.stat().st_mode) == 0o640
    assert list(Path("folder").iterdir()) == [target]


@pytest.mark.attack
def test_a_link_in_a_folder_of_proofs_is_replaced_and_not_followed(
    bullseye: Bullseye, home: Path
) -> None:
    Path("proofs").mkdir()
    Path("precious").write_text("old")
    Path("proofs/1.proof").symlink_to(home / "precious")
    assert bullseye("solve", EASY, "--prove", "proofs").code == 0
    assert Path("precious").read_text() == "old"
    assert not Path("proofs/1.proof").is_symlink()
    assert bullseye("check", "proofs/1.proof").code == 0


def test_a_device_is_written_to_in_place() -> None:
    with open_output(os.devnull) as out:
        out.write("gone")
    assert not Path(os.devnull).is_file()


@pytest.mark.parametrize("place", ["missing/out.csv", "."])
def test_an_output_that_cannot_be_written_is_reported_before_any_work(place: str) -> None:
    with pytest.raises(OutputError, match=f"^cannot write {place}: "), open_output(place):
        raise AssertionError("nothing may be begun")

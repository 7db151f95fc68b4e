"""Malicious and broken input files, read with little memory."""

import bz2
import gzip
import io
import json
import lzma
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable

import pytest

from tests.end_to_end.bullseye import COMMAND, Bullseye
from tests.end_to_end.load import execute

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GRID = "987..25..........7.....736...32..4..4...8....625.....3.5..1..3.1.8376.5....5..19."
MEGABYTE = 1 << 20
#: kilobytes of address space of the program; it needs half of that to start
MEMORY = 300 << 10
#: an error of one line: the place, the fault and the remedy
SENTENCE = r"(error: )?(standard input|[\w/.-]+)( line \d+)?: [^\n]+; [^\n]+\n"


def limited(bullseye: Bullseye, *arguments: str) -> subprocess.Popen[str]:
    """A command with an address space of MEMORY kilobytes."""
    return subprocess.Popen(
        ["/bin/sh", "-c", f'ulimit -v {MEMORY}; exec "$@"', "sh", *COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=bullseye.env,
        cwd=bullseye.folder,
    )


def assert_rejected(bullseye: Bullseye, process: subprocess.Popen[str]) -> None:
    out, errors = process.communicate(timeout=60)
    assert (process.returncode, out) == (65, ""), errors
    assert re.fullmatch(SENTENCE, errors), errors
    assert execute(bullseye, "SELECT count(*) FROM batch") == [(0,)]


def zipped(data: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles.txt", data)
    return whole.getvalue()


def billion_laughs() -> bytes:
    entities = '<!ENTITY a0 "ha">' + "".join(
        f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10)
    )
    return f"<!DOCTYPE opensudoku [{entities}]><opensudoku><game name='&a9;'/>".encode()


#: each expands to a gigabyte, except zip (100 MB), whose archives cannot be concatenated
BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(b"." * MEGABYTE) * 1024,
    "bzip2": lambda: bz2.compress(b"." * MEGABYTE) * 1024,
    "xz": lambda: lzma.compress(b"." * MEGABYTE) * 1024,
    "zstd": lambda: zstd.compress(b"." * MEGABYTE) * 1024,
    "zip": lambda: zipped(bytes(100 * MEGABYTE)),
    "lines": lambda: zstd.compress(b"\n" * MEGABYTE) * 1024,
    "xml": lambda: zstd.compress(b"<opensudoku>\n<game data='") + zstd.compress(b"1\n" * MEGABYTE),
}
FILES: dict[str, Callable[[], bytes]] = {
    **BOMBS,
    "billion laughs": billion_laughs,
    "NUL bytes": lambda: f"{GRID}\n".encode() * 1000 + bytes(1000),
    "26x26": lambda: (b"." * 26 + b"\n") * 26,
    "26x26 in a line": lambda: b"." * 676,
    "matrix of 10^9": lambda: b"1000000000 1000000000\n1 0 1\n",
    "dense matrix": lambda: b"200 300000\n" + (b"1" * 300_000 + b"\n") * 200,
}
#: the formats of files whose format is not detected
FORMATS = {"dense matrix": "matrix"}


@pytest.mark.parametrize("name", FILES)
def test_a_hostile_file_is_rejected_with_one_sentence_and_little_memory(
    bullseye: Bullseye, name: str
) -> None:
    (bullseye.folder / "puzzles").write_bytes(FILES[name]())
    option = ["--from", FORMATS[name]] if name in FORMATS else []
    assert_rejected(bullseye, limited(bullseye, "submit", *option, "puzzles"))


def test_a_gigabyte_without_a_line_end_is_rejected(bullseye: Bullseye) -> None:
    with (bullseye.folder / "puzzles").open("wb") as file:
        file.write(f"{GRID}\n".encode())
        file.truncate(1 << 30)
    assert_rejected(bullseye, limited(bullseye, "submit", "puzzles"))


def test_an_endless_line_is_rejected_early(bullseye: Bullseye) -> None:
    process = limited(bullseye, "submit", "-")
    assert process.stdin is not None
    given = 0
    with pytest.raises(BrokenPipeError):
        while given < 1 << 30:
            given += os.write(process.stdin.fileno(), b"1" * MEGABYTE)
    assert given < 4 * MEGABYTE
    assert_rejected(bullseye, process)


def test_good_lines_among_bad_ones_are_solved_with_skip_bad(bullseye: Bullseye) -> None:
    bad = [b"99999", b"\xc3\x28\xff" * 27, b"1" * 500_000, b"." * 80 + b"&", b"\x1b[2J" * 16]
    lines = [line for one in bad for line in (GRID.encode(), one)] + [GRID.encode()]
    (bullseye.folder / "puzzles").write_bytes(b"\n".join(lines))
    refused = bullseye.run("solve", "puzzles")
    assert refused.returncode == 65
    assert "puzzles line 2: " in refused.stderr
    assert "5 of 11 lines are invalid" in refused.stderr
    done = bullseye.run("solve", "--skip-bad", "puzzles")
    assert done.returncode == 1, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["status"] for answer in answers] == ["solved", "invalid"] * 5 + ["solved"]
    assert all(answer["detail"] for answer in answers if answer["status"] == "invalid")
    assert "\x1b" not in done.stdout + done.stderr

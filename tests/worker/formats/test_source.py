"""Opening an input: files, arguments and standard input, and errors of one sentence."""

import io
import tracemalloc
from pathlib import Path

import pytest

from tests.users import an_ordinary_user
from tests.worker.formats.reading import GRID, read, texts
from worker.formats.errors import FormatError
from worker.formats.files.text import MAX_LINE_BYTES
from worker.formats.source import open_source


def _refusal(file: str) -> str:
    with pytest.raises(FormatError) as refusal, open_source(file) as source:
        list(source)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is empty"),
        (b"\n \n", "is empty"),
        (b"# only\n# comments\n", "contains nothing but comments"),
        (b"abc\n12\0 3\n", "line 2: contains a NUL byte"),
        (GRID.encode("utf-16")[:-1], "is damaged UTF-16 text (truncated data)"),
        (GRID.encode("utf-32"), "contains a NUL byte"),
        (GRID.encode("utf-16-le"), "contains a NUL byte"),
        (b"SQLite format 3\0", "is an SQLite database"),
        (b"\xff\xd8\xff\xe0 picture", "is a picture; give the puzzles as text"),
        (b"%PDF-1.7\n", "is a PDF; extract its text: pdftotext -layout FILE"),
        (b"\xd0\xcf\x11\xe0", "is a file of an old office program, such as .xls; save it as .xlsx"),
        (b"\x80\x04\x95\0\0", "is a pickle, which Bullseye does not load"),
    ],
)
def test_a_file_that_is_not_of_puzzles_is_rejected(
    tmp_path: Path, content: bytes, what: str
) -> None:
    path = tmp_path / "input"
    path.write_bytes(content)
    assert what in _refusal(str(path))


def test_the_error_of_an_unknown_format_is_about_a_line_that_is_no_grid(tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_text(f"{GRID}\n\n-- \ntel. 555-123456\n")
    assert "line 3: 2 cells; a grid line has" in _refusal(str(path))


def test_a_folder_and_a_missing_file_are_rejected(tmp_path: Path) -> None:
    assert _refusal(str(tmp_path)) == f"{tmp_path}: is a folder"
    assert _refusal("examples/foo.txt") == "examples/foo.txt: no such file"  # as long as a 4x4
    assert _refusal(str(tmp_path / "no")) == f"{tmp_path / 'no'}: no such file"
    assert "cannot be opened" in _refusal("a\0b")
    assert "no such file" in _refusal("x y" * 1000)


def test_an_unreadable_file_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text(GRID)
    path.chmod(0)
    with an_ordinary_user():
        assert "permission denied" in _refusal(str(path))


def test_a_read_error_is_reported() -> None:
    class Broken(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(FormatError, match="Input/output error"), open_source("-", None, Broken()):
        pass


def test_a_puzzle_is_read_from_the_argument() -> None:
    for text in (GRID, "1..4..2..3..4..1", "." * 200 + "123456789ABCDEFG" * 3 + "." * 8):
        with open_source(text) as source:
            assert source.name == "command line"
            assert [entry.text for entry in source] == [text]


def test_an_argument_with_a_cell_too_few_is_rejected() -> None:
    assert "as a puzzle it has 80 cells, expected 81" in _refusal(GRID[:80])


def test_a_file_named_like_a_puzzle_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(GRID).write_text("." * 81 + "\n")
    with open_source(GRID) as source:
        assert source.name == GRID
        assert [entry.text for entry in source] == ["." * 81]


def test_an_unknown_format_is_rejected() -> None:
    with pytest.raises(FormatError, match="no format `sdk`; choose one of lines, rows"):
        read(GRID, "sdk")


def test_standard_input_stays_open() -> None:
    stdin = io.BytesIO(f"{GRID}\n".encode())
    with open_source("-", None, stdin) as source:
        assert len(list(source)) == 1
    assert not stdin.closed


def test_the_extension_dlx_resolves_numeric_items(tmp_path: Path) -> None:
    path = tmp_path / "numbers.dlx"
    path.write_text("1 2 3\n1 3\n2\n")
    with open_source(str(path)) as source:
        assert source.layout.format == "dlx"


def test_the_extension_does_not_overrule_the_content(tmp_path: Path) -> None:
    path = tmp_path / "grids.dlx"
    path.write_text(f"{GRID}\n{GRID}\n")
    with open_source(str(path)) as source:
        assert [entry.text for entry in source] == [GRID, GRID]


def test_more_comments_than_the_first_block_are_skipped() -> None:
    comment = "# " + "a" * 98 + "\n"
    _, entries = read(comment * 5000 + f"{GRID}\n")
    assert [(entry.line, entry.text) for entry in entries] == [(5001, GRID)]


def test_a_byte_order_mark_and_latin_1_comments_are_skipped() -> None:
    assert texts(b"\xef\xbb\xbf# caf\xe9\n" + GRID.encode()) == [GRID]


def test_a_wrong_count_rejects_the_whole_input() -> None:
    with pytest.raises(FormatError, match="line 1: the first line announces 3 puzzles"):
        read(f"3\n{GRID}\n{GRID}\n")


class _Endless(io.RawIOBase):
    """A stream that repeats a piece this many times."""

    def __init__(self, piece: bytes, times: int) -> None:
        self.piece, self.left = piece, times

    def read(self, size: int = -1) -> bytes:
        times = min(max(1, size // len(self.piece)), self.left)
        self.left -= times
        return self.piece * times


@pytest.mark.parametrize("byte", [b".", b"1", b" ", b"#"])
def test_an_endless_line_is_rejected_after_a_few_megabytes(byte: bytes) -> None:
    stream = _Endless(byte, 1 << 30)
    with (
        pytest.raises(FormatError, match="without a line end"),
        open_source("-", None, stream) as source,  # type: ignore[arg-type]
    ):
        list(source)
    assert (1 << 30) - stream.left < 3 * MAX_LINE_BYTES


def test_memory_does_not_grow_with_the_input() -> None:
    lines = 100_000
    stream = _Endless(f"{GRID}\n".encode() * 10, lines // 10)
    tracemalloc.start()
    try:
        with open_source("-", None, stream) as source:  # type: ignore[arg-type]
            assert sum(1 for _ in source) == lines
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 3_000_000  # bytes; the input has 8,200,000

"""UTF-16 with a byte order mark is read like UTF-8, in any pieces."""

import gzip
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.formats.reading import GRID, read, texts
from worker.formats.errors import FormatError
from worker.formats.files.text import Utf8

MARKS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}


@pytest.mark.parametrize("encoding", MARKS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_grids_and_labels_are_read_from_utf_16(encoding: str, end: str) -> None:
    text = "".join(f"{GRID} 数独 {number}{end}" for number in range(2000))
    content = MARKS[encoding] + text.encode(encoding)
    for packed in (content, gzip.compress(content)):
        entries = read(packed)[1]
        assert [entry.label for entry in entries] == [f"数独 {number}" for number in range(2000)]
        assert {entry.text for entry in entries} == {GRID}


class _Trickle(io.BytesIO):
    """Gives a byte at a time."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(1, size or 0))


@given(st.text("ab\n漢😀", max_size=20), st.sampled_from(list(MARKS)), st.integers(2, 9))
def test_text_is_decoded_whatever_pieces_it_comes_in(text: str, encoding: str, size: int) -> None:
    content = MARKS[encoding] + text.encode(encoding)
    stream = Utf8(content[:size], _Trickle(content[size:]))
    assert b"".join(iter(lambda: stream.read(4), b"")) == text.encode()


def test_damaged_utf_16_is_rejected() -> None:
    for content in (f"{GRID}\n".encode("utf-16")[:-1], b"\xff\xfe\x00\xd8a\x00"):
        with pytest.raises(FormatError, match=r"is damaged UTF-16 text \(.*\); save it as UTF-8"):
            read(content)


def test_a_nul_character_in_utf_16_is_rejected() -> None:
    with pytest.raises(FormatError, match="line 2: contains a NUL byte"):
        texts(f"{GRID}\n\0\n".encode("utf-16"))

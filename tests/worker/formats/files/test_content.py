"""Compressed files are read like their content; damaged ones are rejected as a whole."""

import bz2
import gzip
import io
import lzma
import sys
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

from tests.worker.formats.reading import DATA, GRID, read, texts
from worker.formats.errors import FormatError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GRIDS = [GRID] * 3000


def zipped(data: bytes, *more: str) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzles.txt", data)
        for name in more:
            archive.writestr(name, b"")
    return whole.getvalue()


def several_gzips(data: bytes) -> bytes:
    return gzip.compress(data[:1000]) + gzip.compress(data[1000:])


def several_xz(data: bytes) -> bytes:
    return lzma.compress(data[:1000]) + bytes(8) + lzma.compress(data[1000:])


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "several gzips": several_gzips,
    "zstd": zstd.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "several xz": several_xz,
    "zip": zipped,
    "zip from a Mac": lambda data: zipped(data, "folder/", "__MACOSX/._puzzles.txt"),
}
EACH_FORMAT = pytest.mark.parametrize("compress", COMPRESS.values(), ids=COMPRESS)


@EACH_FORMAT
def test_a_compressed_file_is_read_like_its_content(compress: Callable[[bytes], bytes]) -> None:
    assert texts(compress("\n".join(GRIDS).encode())) == GRIDS


@EACH_FORMAT
def test_a_byte_order_mark_in_compressed_text_is_skipped(
    compress: Callable[[bytes], bytes],
) -> None:
    assert texts(compress(b"\xef\xbb\xbf" + GRIDS[0].encode())) == GRIDS[:1]


@EACH_FORMAT
def test_a_truncated_file_is_rejected_as_a_whole(compress: Callable[[bytes], bytes]) -> None:
    data = compress("\n".join(GRIDS).encode())
    for size in (len(data) // 2, len(data) - 1):
        with pytest.raises(
            FormatError, match=r"cannot be decompressed .*; copy or download it again"
        ):
            read(data[:size])


@EACH_FORMAT
def test_a_damaged_file_is_rejected(compress: Callable[[bytes], bytes]) -> None:
    data = bytearray(compress(bytes(DATA.joinpath("formats", "rows.txt").read_bytes()) * 50))
    data[len(data) // 2 :] = bytes(b ^ 0x55 for b in data[len(data) // 2 :])
    with pytest.raises(FormatError):
        read(bytes(data))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (zipped(b"", "b", "c", "d"), r"archive of 4 files \(puzzles.txt, b, c, …\); unpack it"),
        (b"PK\x05\x06" + bytes(18), r"archive of 0 files \(none\)"),
        (gzip.compress(b""), "is empty"),
        (gzip.compress(gzip.compress(b"x")), "no known format starts|NUL"),
    ],
    ids=["four files", "no file", "nothing", "compressed twice"],  # the content differs each time
)
def test_a_file_without_a_puzzle_file_in_it_is_rejected(content: bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        read(content)


@pytest.mark.parametrize("name", ["gzip", "zstd", "bzip2", "xz", "zip"])
def test_a_decompression_bomb_is_rejected_in_little_memory(name: str) -> None:
    bomb = COMPRESS[name](bytes(100 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"NUL|line end"):
            read(bomb)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_an_xz_file_that_needs_gigabytes_is_rejected() -> None:
    data = bytearray(lzma.compress(GRIDS[0].encode()))
    data[16] = 40  # declares a dictionary of 4 GB
    data[20:24] = zlib.crc32(data[12:20]).to_bytes(4, "little")
    with pytest.raises(FormatError, match=r"cannot be decompressed \(Memory usage limit"):
        read(bytes(data))


def test_data_after_the_compressed_stream_is_rejected() -> None:
    for compress in (gzip.compress, lzma.compress, zstd.compress):
        with pytest.raises(FormatError, match="cannot be decompressed"):
            read(compress("\n".join(GRIDS).encode()) + b"rest")


def test_a_zip_archive_with_a_huge_list_of_files_is_rejected() -> None:
    data = zipped(b"", *(f"{number:0500}" for number in range(3000)))
    with pytest.raises(FormatError, match=r"its list of files has 1,\d{3},\d{3} bytes"):
        read(data)


def test_a_zip_archive_with_an_unsupported_method_is_rejected() -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("puzzles.txt", GRIDS[0])
    with pytest.raises(FormatError, match=r"unsupported compression method \(14\); unpack it"):
        read(whole.getvalue())


def test_names_in_a_zip_archive_are_quoted_without_control_characters() -> None:
    with pytest.raises(FormatError) as refusal:
        read(zipped(b"", "\x1b[2J", "\n"))
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_archive_is_named_as_such(mode: str) -> None:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode=mode) as archive:  # type: ignore[call-overload]
        archive.addfile(tarfile.TarInfo("puzzles.txt"))
    with pytest.raises(FormatError, match="is a tar archive; unpack it and give the files that"):
        read(whole.getvalue())


def archive(**grids: str) -> bytes:
    """What `numpy.savez_compressed` writes: an array under each of these names."""
    file, save = io.BytesIO(), cast(Any, np.savez_compressed)  # its types take no names
    save(file, **{name: [list(map(int, grid.replace(".", "0")))] for name, grid in grids.items()})
    return file.getvalue()


def test_the_puzzles_of_an_archive_of_arrays_are_the_only_one_or_the_one_with_such_a_name() -> None:
    solved = GRID.replace(".", "1")
    assert texts(archive(x=GRID)) == [GRID]
    assert texts(archive(quizzes=GRID, solutions=solved)) == [GRID]


@pytest.mark.parametrize("names", [("x_train", "y_train"), ("puzzle", "quiz")])
def test_an_archive_of_arrays_of_which_none_or_two_may_be_the_puzzles_is_rejected(
    names: tuple[str, str],
) -> None:
    with pytest.raises(FormatError, match=r"archive of 2 files \(.*npy, .*npy\); unpack it"):
        read(archive(**dict.fromkeys(names, GRID)))

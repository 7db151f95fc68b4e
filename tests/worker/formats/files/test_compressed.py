"""Packed files are read as if they were not; broken ones are told, never read in part."""

import bz2
import gzip
import io
import lzma
import sys
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable

import pytest

from tests.worker.formats.reading import DATA, read, texts
from worker.formats.errors import FormatError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

GRIDS = ["987..25..........7.....736...32..4..4...8....625.....3.5..1..3.1.8376.5....5..19."] * 3000


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


PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "several gzips": several_gzips,
    "zstd": zstd.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "several xz": several_xz,
    "zip": zipped,
    "zip from a Mac": lambda data: zipped(data, "folder/", "__MACOSX/._puzzles.txt"),
}
PACKERS = pytest.mark.parametrize("pack", PACK.values(), ids=PACK)


@PACKERS
def test_a_packed_file_reads_as_what_is_in_it(pack: Callable[[bytes], bytes]) -> None:
    assert texts(pack("\n".join(GRIDS).encode())) == GRIDS


@PACKERS
def test_a_byte_order_mark_inside_is_dropped(pack: Callable[[bytes], bytes]) -> None:
    assert texts(pack(b"\xef\xbb\xbf" + GRIDS[0].encode())) == GRIDS[:1]


@PACKERS
def test_what_is_cut_short_is_refused_not_read_in_part(pack: Callable[[bytes], bytes]) -> None:
    packed = pack("\n".join(GRIDS).encode())
    for size in (len(packed) // 2, len(packed) - 1):
        with pytest.raises(FormatError, match=r"cannot be unpacked .*; get it anew"):
            read(packed[:size])


@PACKERS
def test_what_is_damaged_is_refused(pack: Callable[[bytes], bytes]) -> None:
    packed = bytearray(pack(bytes(DATA.joinpath("formats", "rows.txt").read_bytes()) * 50))
    packed[len(packed) // 2 :] = bytes(b ^ 0x55 for b in packed[len(packed) // 2 :])
    with pytest.raises(FormatError):
        read(bytes(packed))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (zipped(b"", "b", "c", "d"), r"archive of 4 files \(puzzles.txt, b, c, …\); unpack it"),
        (b"PK\x05\x06" + bytes(18), r"archive of 0 files \(none\)"),
        (gzip.compress(b""), "is empty"),
        (gzip.compress(gzip.compress(b"x")), "no puzzle is known|NUL"),
    ],
    ids=["four files", "no file", "nothing", "packed twice"],  # gzip writes the time
)
def test_what_holds_no_puzzle_file_is_named(content: bytes, what: str) -> None:
    with pytest.raises(FormatError, match=what):
        read(content)


@pytest.mark.parametrize("name", ["gzip", "zstd", "bzip2", "xz", "zip"])
def test_a_bomb_takes_no_memory(name: str) -> None:
    bomb = PACK[name](bytes(100 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=r"NUL|line end"):
            read(bomb)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_xz_that_asks_for_gigabytes_is_refused() -> None:
    packed = bytearray(lzma.compress(GRIDS[0].encode()))
    packed[16] = 40  # its dictionary has 4 GB, it says
    packed[20:24] = zlib.crc32(packed[12:20]).to_bytes(4, "little")
    with pytest.raises(FormatError, match=r"cannot be unpacked \(Memory usage limit"):
        read(bytes(packed))


def test_what_follows_packed_bytes_is_not_passed_over() -> None:
    for pack in (gzip.compress, lzma.compress, zstd.compress):
        with pytest.raises(FormatError, match="cannot be unpacked"):
            read(pack("\n".join(GRIDS).encode()) + b"rest")


def test_a_zip_with_a_list_of_a_million_files_is_refused() -> None:
    packed = zipped(b"", *(f"{number:0500}" for number in range(3000)))
    with pytest.raises(FormatError, match=r"its list of files has 1,\d{3},\d{3} bytes"):
        read(packed)


def test_a_zip_packed_in_a_way_that_may_take_any_memory_is_refused() -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("puzzles.txt", GRIDS[0])
    with pytest.raises(FormatError, match=r"packed by a rare method \(14\); unpack it"):
        read(whole.getvalue())


def test_names_in_a_zip_are_shown_without_control_characters() -> None:
    with pytest.raises(FormatError) as refusal:
        read(zipped(b"", "\x1b[2J", "\n"))
    assert str(refusal.value).isprintable()

"""Makes hostile inputs from samples, and checks how they are read.

    python -m tests.worker.formats.hostile SEED INPUTS

reads INPUTS of them in a process with bounded memory, and prints the counts as JSON.
"""

import bz2
import gzip
import io
import json
import lzma
import random
import re
import resource
import signal
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from math import isqrt
from pathlib import Path

from storage.values import printable
from tests.worker.formats.reading import DATA, read
from worker.formats.entry import Entry
from worker.formats.errors import MAX_EXCERPT, FormatError
from worker.formats.layout import FORMATS, Layout
from worker.sudoku.symbols import SIDES, VALUES

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

EXAMPLES = DATA.parents[1] / "examples"
SAMPLES = sorted(
    path
    for folder in (EXAMPLES, *(DATA / name for name in ("formats", "judge", "refused")))
    for path in folder.iterdir()
    if path.is_file() and path.suffix not in {".expected", ".out", ".svg", ".md"}
)
#: words that are likely to break a reader
WORDS = (
    *(b"\0", b"\r", b"\n", b"\r\n", b" ", b"\t", b"|", b"#", b"end\n", b"\x1b[2J"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3\x28", b"\xed\xa0\x80"),
    *(b"[Puzzle]\n", b"[State]\n", b"{", b"}", b"[", b"]", b'"', b"[" * 600, b"]" * 600),
    *(b"null", b"true", b"-1", b"0", b"1e999", b"NaN", b"9" * 9, b"9" * 20, b"9" * 5000),
    *(b'"\\ud800"', b"\\u0000", b'"names":["\\ud800"],', b'"items":0,', b'{"puzzle":' * 400),
    *(text.encode() for text in ("٣٣٣", "𝟗", "\u2028\u0085")),
    *(b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;", b"<a>" * 300, b"</opensudoku>", b"<game data='"),
    *(b"Type=Sudoku X\n", b"[Regions]\n", b'"cages":[[1]],', b'"prompt":"",', b"AAABBBCCC\n"),
    *(b"a:b", b"|5", b"===\n", b"---------\n", b"Grid 01\n", b"X" * 625, b"." * 81 + b"\n"),
)
#: well-formed lines with excessive or odd values
LINES = (
    *(b'{"puzzle":' + b"[" * deep + b"]" * deep + b"}" for deep in (200, 400, 900, 5000)),
    *(b'{"label":' + b"[" * deep + b"]" * deep + b',"puzzle":""}' for deep in (200, 900)),
    b'{"items":1,"options":[[1]],"names":["\\ud800"]}',
    b'{"items":1,"options":[[1]],"names":["\\u0000\\n"],"label":"\\u0000\\n\\ud800"}',
    b'{"items":999999999999,"secondary":999999999999,"options":[[999999999999]]}',
    b'{"items":' + b"9" * 4000 + b',"options":[]}',
    b'{"items":true,"options":[[true]]}',
    b'{"puzzle":["\\ud800' + b"." * 80 + b'"]}',
    b'{"puzzle":{"puzzle":1}}',
    b'{"puzzle":[' + b"1e999," * 80 + b"-0.0]}",
    b'{"puzzle":[' + b"9" * 5000 + b"]}",
    *(b"999999999 999999999", b"0 999999999", b"999999999 0", b"0 0", b"1 1", b"99999999"),
    ("٩" * 81).encode(),
    *(b"a b c", b"a a", b"a | a", b"|", b"a:1 b", b"1 2 3 4 5 6 7 8 9"),
    b'<opensudoku><game data="' + b"1" * 81 + b'"/>',
    b'<game data="version: 1 ' + b"|" * 324 + b'"/>',
)
NUMBER = re.compile(rb"\d+")
#: greatest time to read one of these inputs, which are small
MAX_SECONDS = 5
#: memory limit of a process with bounded memory
MAX_BYTES = 512 << 20


def hostile(dice: random.Random) -> bytes:
    """A damaged sample, sometimes compressed and damaged again."""
    content = sample(dice)
    for _ in range(dice.choice([1, 1, 1, 2, 4])):
        content = dice.choice(_WAYS)(content, dice)
    if dice.random() < 0.1:
        content = dice.choice(_PACKED)(content)
        if dice.random() < 0.9:
            content = dice.choice(_WAYS)(content, dice)
    return content


def sample(dice: random.Random) -> bytes:
    """The beginning of one of the samples, undamaged."""
    return _beginning(dice.choice(SAMPLES))


@cache
def _beginning(path: Path) -> bytes:
    return path.read_bytes()[:20_000]


def _without(content: bytes, dice: random.Random) -> bytes:
    start, end = _two(content, dice)
    return content[:start] + content[end:]


def _doubled(content: bytes, dice: random.Random) -> bytes:
    start, end = _two(content, dice)
    return content[:end] + content[start:]


def _shuffled(content: bytes, dice: random.Random) -> bytes:
    start, end = _two(content, dice)
    return content[:start] + bytes(dice.sample(content[start:end], end - start)) + content[end:]


def _flipped(content: bytes, dice: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(min(len(content), dice.choice([1, 2, 10]))):
        changed[dice.randrange(len(content))] = dice.randrange(256)
    return bytes(changed)


def _with_a_word(content: bytes, dice: random.Random) -> bytes:
    at = dice.randint(0, len(content))
    return content[:at] + dice.choice(WORDS) + content[at:]


def _with_a_line(content: bytes, dice: random.Random) -> bytes:
    lines = content.split(b"\n")
    lines.insert(dice.choice([0, 1, dice.randint(0, len(lines))]), dice.choice(LINES))
    return b"\n".join(lines)


def _with_another_number(content: bytes, dice: random.Random) -> bytes:
    found = list(NUMBER.finditer(content[:2000]))
    if not found:
        return content
    start, end = dice.choice(found).span()
    number = dice.choice([b"0", b"-1", b"1000000000", b"999999999", b"4294967296", b"1" * 5000])
    return content[:start] + number + content[end:]


def _spliced(content: bytes, dice: random.Random) -> bytes:
    other = sample(dice)
    return content[: dice.randint(0, len(content))] + other[dice.randint(0, len(other)) :]


def _two(content: bytes, dice: random.Random) -> list[int]:
    return sorted(dice.choices(range(len(content) + 1), k=2))


def _zipped(content: bytes) -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("puzzlés.txt", content)
    return whole.getvalue()


_WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_without, _doubled, _shuffled, _flipped, _spliced),
    *(_with_a_word, _with_a_line, _with_another_number),
)
_PACKED: tuple[Callable[[bytes], bytes], ...] = (
    *(gzip.compress, bz2.compress, lzma.compress, zstd.compress, _zipped),
)


def outcomes_of(content: bytes, name: str | None) -> Iterator[str]:
    """The outcomes of reading an input with this --from; AssertionError if one is invalid."""
    try:
        layout, entries = read(content, name)
    except FormatError as refusal:
        assert_sentence(str(refusal))
        yield "rejected"
        return
    has_any_alphabet = layout.format in {"json", "jsonl"} and name in {"letters", "hex"}
    assert name in {None, layout.format} or has_any_alphabet
    for entry in entries:
        assert_entry(entry, layout)
        yield "bad" if entry.error else "good"


def assert_sentence(text: str) -> None:
    """Assert that a message is one short printable line."""
    assert text
    assert len(text) < 1000
    assert text == printable(text), ascii(text)


def assert_entry(entry: Entry, layout: Layout) -> None:
    """Assert that an entry can be stored, and is a puzzle or has an error."""
    (entry.label or "").encode()
    entry.text.encode()
    assert entry.line > 0
    assert entry.label is None or entry.label == printable(entry.label), ascii(entry.label)
    if entry.error is not None:
        assert_sentence(entry.error)
        assert len(entry.text) <= MAX_EXCERPT
        assert entry.text == printable(entry.text), ascii(entry.text)
    elif entry.text.startswith("{"):
        problem = json.loads(entry.text)
        last = problem["items"] + problem["secondary"]
        assert all(1 <= item <= last for option in problem["options"] for item in option)
    else:
        assert len(entry.text) in SIDES
        assert set(entry.text) <= set("." + VALUES[: isqrt(len(entry.text))])
        assert layout.size in {None, isqrt(len(entry.text))}


@contextmanager
def no_longer(seconds: float) -> Iterator[None]:
    """Raise AssertionError in the code of the context after this time."""

    def stop(*_: object) -> None:
        raise AssertionError(f"not done after {seconds} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def count_outcomes(seed: int, inputs: int) -> Counter[str]:
    """Count the outcomes of a number of hostile inputs; the note of an error quotes its input."""
    dice, counts = random.Random(seed), Counter[str]()
    for number in range(inputs):
        content, name = hostile(dice), dice.choice([None] * len(FORMATS) + list(FORMATS))
        try:
            with no_longer(MAX_SECONDS):
                counts.update(outcomes_of(content, name))
        except Exception as error:
            error.add_note(f"input {number} of seed {seed}, --from {name}: {content!r:.2000}")
            raise
    return counts


def main(seed: int, inputs: int) -> None:
    """Run one share of a soak test and print its figures."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    began = time.monotonic()
    counts = count_outcomes(seed, inputs)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    figures = {"inputs": inputs, "seconds": round(time.monotonic() - began, 1), "MB": peak}
    sys.stdout.write(json.dumps(figures | counts) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

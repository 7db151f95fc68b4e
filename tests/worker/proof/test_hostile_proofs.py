"""Files that were written against the checker are refused in one sentence, in time and in memory.

The checker runs alone, with 2 GB of address space: without it, the test would take the machine's.
"""

import gzip
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.worker.solving import longer
from worker.proof.branches import count
from worker.proof.check import MAX_TEXT, check

pytestmark = pytest.mark.attack

PROGRAM = Path(__file__).parents[3] / "examples" / "check.py"
HEAD = b"bullseye proof 1\n"
ONE = HEAD + b'cover {"items":1,"options":[[1]]}\n'
TWO = HEAD + b'cover {"items":2,"options":[[1,2],[1],[2],[1]],"set_cover":true}\nsolutions 9\n'
EMPTY = HEAD + b"sudoku " + b"." * 81 + b"\n"
EVERY_OPTION = b" ".join(b"%d" % symbol * 81 for symbol in range(1, 10))
HOSTILE = {
    "a damaged gzip file": gzip.compress(HEAD * 99)[:12] + b"\xff" * 20,
    "a gzip file that ends early": gzip.compress(HEAD)[:-9],
    "two gzip files": gzip.compress(ONE) * 2,
    "4 MB that unpack to 4 GB": gzip.compress(bytes(1 << 22), 9) * 1000,
    "one gzip file of 256 MB": gzip.compress(bytes(1 << 28), 1),
    "a million items": HEAD + b'cover {"items":1000000,"options":[]}\nsolutions 0\ntrace\n',
    "900,000 brackets": HEAD + b"cover " + b"[" * 900_000 + b"\nsolutions 0\ntrace\n",
    "four million options": HEAD
    + b'cover {"items":1,"options":['
    + b"[]," * 4_000_000
    + b"[1]]}\nsolutions 1\ntrace\n",
    "a solution of 99999999999": ONE + b"solutions 1 or more\nsolution 99999999999\n",
    "a solution of 0": ONE + b"solutions 1 or more\nsolution 0\n",
    "a part of 99999999999": ONE + b"solutions 1\npart 1 1 99999999999\npart 0 1\n",
    "every option of the empty grid": EMPTY
    + b"solutions 99999999999 or more\nsolution "
    + EVERY_OPTION
    + b"\n",
    "a branch on option 10**29": ONE + b"solutions 1\ntrace x1" + b"0" * 29 + b"\n",
    "a branch on option 0": ONE + b"solutions 1\ntrace x0\n",
    "three million changes of multipliers": TWO + b"trace " + b"1:1 2:1 " * 1_500_000 + b"\n",
    "one change of a million multipliers": TWO + b"trace " + b"1:1," * 1_000_000 + b"1:0\n",
    "changes that nothing follows": TWO + b"trace 1: :1 1:1:1 ,\n",
    "a multiplier of 5,000 digits": TWO + b"trace 1:" + b"9" * 5000 + b"\n",
    "a set cover of 300,000 options": HEAD
    + b'cover {"items":3,"options":['
    + b"[1,2],[2,3],[3,1]," * 100_000
    + b'[1]],"set_cover":true}\nat_most 300000\nsolutions 1\ntrace'
    + b" x1 x2 x3" * 1000
    + b"\n",
    "100,000 items of any number": HEAD
    + b'cover {"items":100000,"options":['
    + b",".join(b"[%d]" % (item + 1) for item in range(100_000))
    + b'],"multiplicities":['
    + b"[0,9]," * 99_999
    + b"[0,9]]}\nsolutions 1\ntrace"
    + b"".join(b" x%d" % (item + 1) for item in range(100_000))
    + b"\n",
    "another zero": ONE + b"solutions -0_0 or more\nsolution 1\n",
    "an unknown line": ONE + b"also 1\nsolutions 1\ntrace\n",
    "a line twice": ONE + b"solutions 2\nsolutions 1\ntrace\n",
    "a sign": ONE + b"solutions +1\ntrace\n",
    "another alphabet": ONE + "solutions \u0661\ntrace\n".encode(),
    "a number of 5,000 digits": ONE + b"solutions " + b"9" * 5000 + b"\ntrace\n",
    "ten million lines": HEAD + b"\n" * 10_000_000,
    "no text": b"\xff" * 99,
}


def alone(*arguments: object, seconds: float = 10.0) -> subprocess.CompletedProcess[str]:
    """Check files in a process that may take 2 GB."""
    program = f"import sys; sys.path.insert(0, {str(PROGRAM.parent)!r}); import check; "
    program += f"sys.exit(check.main(sys.argv[1:], seconds={seconds}))"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)),
    )


def test_each_hostile_file_is_refused_in_one_sentence(tmp_path: Path) -> None:
    for name, content in HOSTILE.items():
        (tmp_path / name).write_bytes(content)
    done = alone(*(tmp_path / name for name in HOSTILE), "/dev/zero", seconds=0.5)
    assert (done.returncode, done.stdout) == (65, ""), done.stderr[-300:]
    lines = done.stderr.splitlines()
    for name, line in zip([*HOSTILE, "/dev/zero"], lines, strict=True):
        assert f"{name}: not proven: " in line
        assert len(line) < len(str(tmp_path)) + 300


def test_no_proof_controls_the_terminal(tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[2Kb"
    for trace in (b"trace \x1b[2K\rproven", b"\x1b[2K\rproven: 1", b"trace\nsolutions \x9b2K"):
        file.write_bytes(ONE + b"solutions 1\n" + trace + b"\n")
        done = alone(file)
        assert done.returncode in {1, 65}
        assert done.stderr[:-1].isprintable()


def test_a_long_chain_of_choices_needs_no_recursion() -> None:
    items = 3000
    options = [[item] for item in range(1, items + 1)]
    chain = json.dumps({"items": items, "options": [*options, [1]]})
    proof = f"bullseye proof 1\ncover {chain}\nsolutions 2\ntrace 1\n"
    assert check(proof) == "proven: 2 solutions"
    assert sys.getrecursionlimit() < items


@pytest.mark.parametrize("counter", [None, count])
def test_the_time_limit_holds_for_a_large_problem(
    counter: Callable[..., int] | None, warm_proofs: None
) -> None:
    """Each of 60 items has 4,000 options, so that every step of the search is long."""
    options = [[1 + k % 60, 1 + (7 * k + k // 60) % 60, 1 + (k * k + 1) % 60] for k in range(30000)]
    problem = json.dumps({"items": 60, "options": [sorted(set(some)) for some in options]})
    counting = {} if counter is None else {"counter": counter}
    proof = f"bullseye proof 1\ncover {problem}\nsolutions 1\npart 1 1\n"
    for seconds in longer(1.0):
        began = time.process_time()
        with suppress(ValueError):  # other programs take the processors
            assert check(proof, seconds=seconds, **counting).endswith(" 0 of them counted again")
            break
        assert time.process_time() - began < seconds + 3
    else:
        raise AssertionError("no search was ended by the time limit")


def test_a_problem_whose_sets_of_options_take_too_much_memory_is_refused() -> None:
    items = 70_000  # with two options each, so that the set of each item has 140,000 bits
    options = [[item] for item in range(1, items + 1) for _ in range(2)]
    problem = json.dumps({"items": items, "options": options})
    with pytest.raises(ValueError, match="takes more than inf s, or 1 GB"):
        check(f"bullseye proof 1\ncover {problem}\nsolutions 1\ntrace 1\n")


def test_a_proof_that_is_too_long_to_be_checked_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "long").write_bytes(EMPTY + b"solutions 1\ntrace " + b"r1c1 " * (MAX_TEXT // 5))
    assert "not proven: it is longer than 16 MB" in alone(tmp_path / "long").stderr


GRID = f"sudoku {'.' * 81}\n"
COVER = 'cover {"items":1,"options":[[1]]}\n'
#: begin, what is repeated up to the longest text, and end
LONGEST = {
    "an option of many items": ('cover {"items":1,"options":[[', "1,", "1]]}\nsolutions 1\ntrace"),
    "options of one item": ('cover {"items":1,"options":[', "[1],", "[1]]}\nsolutions 1\ntrace"),
    "8 million weights": (f"{GRID}weights ", "1 ", "1\nbest 1\nsolution 1\nmultipliers 1\ntrace"),
    "8 million multipliers": (f"{COVER}best 0\nsolution 1\nmultipliers ", "1 ", "1\ntrace"),
    "8 million options in a cover": (f"{COVER}solutions 1 or more\nsolution ", "1 ", "1"),
    "8 million grids of one cell": (f"{GRID}solutions 1 or more\nsolution ", "1 ", "1"),
    "a grid of 16 million cells": (f"{GRID}solutions 1 or more\nsolution ", "1", "1"),
    "a part of 8 million options": (f"{COVER}solutions 1\npart 1 1 ", "1 ", "1"),
    "1.6 million parts": (f"{COVER}solutions 1", "\npart 1 1", "\npart 1 1 1"),
}


@pytest.mark.parametrize("name", LONGEST)
def test_the_time_limit_holds_while_the_longest_text_is_read(name: str) -> None:
    begin, unit, end = LONGEST[name]
    times = (MAX_TEXT - len(HEAD) - len(begin) - len(end) - 1) // len(unit)
    proof = f"{HEAD.decode()}{begin}{unit * times}{end}\n"
    began = time.process_time()  # CPU time, which others do not take
    with suppress(ValueError):  # what the first line has is read at once
        json.loads(proof.splitlines()[1].partition(" ")[2])
    read = time.process_time() - began
    with pytest.raises(ValueError, match=r"takes more than 0\.2 s|malformed"):
        check(proof, seconds=0.2)
    assert time.process_time() - began < 1.2 + 3 * read

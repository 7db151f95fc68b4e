"""Any file is read or rejected, without another error, in bounded time and memory."""

import io
import json
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.formats import hostile
from tests.worker.formats.hostile import assert_entry, count_outcomes, no_longer, outcomes_of
from tests.worker.formats.reading import GRID, errors, read
from worker.formats.errors import FormatError
from worker.formats.names import LABELS, PUZZLES
from worker.formats.source import source_of

#: inputs of the long run, in shares of one process each
SHARES, SHARE = 10, 100_000


def test_damaged_samples_are_read_or_rejected() -> None:
    counts = count_outcomes(seed=0, inputs=1_000)
    assert min(counts["rejected"], counts["bad"], counts["good"]) > 50  # each outcome occurs


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(1, SHARES + 1))
def test_a_million_hostile_inputs_are_read_or_rejected(seed: int) -> None:
    command = [sys.executable, "-m", hostile.__name__, str(seed), str(SHARE)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    sys.stdout.write(done.stdout)  # shown with -rP
    assert json.loads(done.stdout)["inputs"] == SHARE


@pytest.mark.attack
@pytest.mark.parametrize(
    "repeated",
    [*('"\\', "'\\", "[b=", "<b>", "> ", "a(", "[", "x", "1.", "{"), "a/", "|. ", "\\begin{"],
)
@pytest.mark.parametrize("begin", ["[[", '{"puzzle": "', ""])
def test_a_line_of_100_kb_is_read_or_rejected_within_a_second(begin: str, repeated: str) -> None:
    content = begin + repeated * (100_000 // len(repeated))
    began = time.thread_time()  # other programs may use the machine
    with suppress(FormatError):
        for block in source_of("line", io.BytesIO(content.encode())).blocks():
            assert block.count >= 0
    assert time.thread_time() - began < 1.0


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just(GRID),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=3),
)
keys = st.sampled_from([*PUZZLES, *LABELS, "items", "secondary", "options", "names", "x"])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.dictionaries(keys, values), min_size=1, max_size=4))
def test_any_json_is_read_or_rejected(objects: list[dict[str, object]]) -> None:
    content = f'{{"puzzle":"{GRID}"}}\n' + "".join(json.dumps(one) + "\n" for one in objects)
    layout, entries = read(content, "jsonl")
    assert len(entries) == len(objects) + 1
    for entry in entries:
        assert_entry(entry, layout)


#: what is said of lists that Python's reader of JSON takes only from 3.14 on
NESTED = "nested too deeply" if sys.version_info >= (3, 14) else "the JSON cannot be read"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"puzzle":' + "[" * 400 + "]" * 400 + "}", "lists are nested too deeply"),
        ('{"puzzle":' + "[" * 9999 + "]" * 9999 + "}", NESTED),
        (
            '{"items":1,"options":[[1]],"names":["\\ud800"]}',
            "`names` must be a list with a text for each item (1)",
        ),
        ('{"items":' + "9" * 100 + ',"options":[[1]]}', "`items` must be a whole number"),
        ('{"items":' + "9" * 5000 + ',"options":[[1]]}', "the JSON cannot be read"),
    ],
)
def test_excessive_json_is_an_error_and_the_other_lines_are_read(line: str, why: str) -> None:
    good = f'{{"puzzle":"{GRID}"}}'
    ((number, error),) = errors(f"{good}\n{line}\n{good}\n")
    assert number == 2
    assert why in error


def _opensudoku(lines: Iterable[str]) -> str:
    return "<opensudoku>\n" + "\n".join(lines)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["<game data='", *["1" * 80] * 2000], "an XML tag of more than"),
        (["<folder>"] * 100, "XML tags nested more than 50 deep"),
        ((f"<note b{number}=''/>" for number in range(1000)), "names of XML tags"),
    ],
    ids=["tag", "depth", "attributes"],
)
def test_xml_that_would_fill_the_memory_is_rejected(lines: Iterable[str], what: str) -> None:
    with pytest.raises(FormatError, match=f"line .*{what}.*; export the puzzles again"):
        read(_opensudoku(lines))


def test_xml_with_many_names_of_tags_is_rejected_at_the_first() -> None:
    with pytest.raises(FormatError, match="line 2: <a0> is no tag of ordinary sudokus"):
        read(_opensudoku(f"<a{number}/>" for number in range(1000)))


@pytest.mark.parametrize(
    "entity",
    [
        '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
        '<!ENTITY a SYSTEM "file:///etc/passwd">',
        '<!ENTITY % a SYSTEM "http://127.0.0.1:1/a.dtd"> %a;',
    ],
    ids=["laughs", "file", "network"],
)
def test_xml_that_declares_entities_is_rejected(entity: str) -> None:
    game = f'<game name="&a;" data="{"1" * 81}"/>'
    content = f'<?xml version="1.0"?>\n<!DOCTYPE opensudoku [{entity}]>\n<opensudoku>{game}\n'
    with pytest.raises(FormatError, match=r"line 2: the XML declares a document type"):
        read(content)


@pytest.mark.parametrize(
    "content",
    [
        " ".join(f"i{number}" for number in range(120_000)) + " i119999\n",  # an item twice
        "a b c\n" + "a " * 500_000 + "\n",
        "1 500000\n" + "1" * 500_000 + "\n",
        GRID + "\n" + "1 " * 400_000 + "\n",
        GRID + "\n" + ("1" * 80 + ",") * 10_000 + "\n",
        "puzzle," * 120_000 + "\n" + GRID + "\n",
        '{"puzzle":"' + GRID + '"}\n{"puzzle":' + "[[" * 200_000 + "\n",
    ],
    ids=["items", "option", "row", "cells", "fields", "columns", "brackets"],
)
def test_a_line_of_nearly_a_megabyte_is_read_quickly(content: str) -> None:
    with no_longer(5.0):
        list(outcomes_of(content.encode(), None))
        list(outcomes_of(content.encode(), "dlx"))

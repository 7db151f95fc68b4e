"""Lines of a table are read many at a time exactly as they are read one by one."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.worker.formats.reading import GRID, read
from worker.formats.entry import Entry
from worker.formats.files.text import TextBlock
from worker.formats.layout import Layout
from worker.formats.readers import lines
from worker.formats.readers.columns import Columns

SOLVED = "987632541362541971541897362813265479479183625625749813256914738198376254734528196"
ZEROS = GRID.replace(".", "0")
GRIDS = [GRID, ZEROS, SOLVED, f" {GRID}", GRID[1:], f"+{GRID}", ZEROS[:40] + GRID[40:]]
WORDS = [
    "",
    "7.5",
    "007",
    "1e5",
    " by Anna ",
    "é",
    "\x1b[1m",
    "#1",
    "x" * 20,
    "w" * 81,
    GRID,
    '"a"',
]
NAMES = ["puzzle,a", "id,puzzle,solution,b", "a,puzzle,b,c", "puzzle,rules", "puzzle,a,b,id"]


def one_by_one(block: TextBlock, names: str) -> list[Entry]:
    reader = reader_of(names)
    texts = block.data.decode().split("\n")[:-1]
    found = (reader.entries(number, text) for number, text in enumerate(texts, block.first))
    return [entry for entries in found for entry in entries]


def at_once(block: TextBlock, names: str) -> list[Entry]:
    return [one for found in lines.read([block], reader_of(names)) for one in found.entries()]


def reader_of(names: str) -> lines.LineReader:
    return lines.LineReader(Layout("lines", "sudoku", 9), [9], Columns.of(names), 1)


def block_of(rows: Sequence[Sequence[str]]) -> TextBlock:
    return TextBlock(2, "".join(",".join(row) + "\n" for row in rows).encode(), len(rows))


@given(st.data())
def test_any_table_is_read_as_line_by_line(data: st.DataObject) -> None:
    names = data.draw(st.sampled_from(NAMES))
    columns = [
        st.sampled_from(GRIDS if name in {"puzzle", "solution"} else WORDS)
        for name in names.split(",")
    ]
    block = block_of(data.draw(st.lists(st.tuples(*columns), min_size=1, max_size=4)))
    assert at_once(block, names) == one_by_one(block, names)


@pytest.mark.parametrize("words", WORDS)
def test_words_beside_good_grids_are_read_as_line_by_line(words: str) -> None:
    block = block_of([("a", GRID, SOLVED, "1"), ("b", ZEROS, SOLVED, words)])
    assert at_once(block, NAMES[1]) == one_by_one(block, NAMES[1])


@pytest.mark.parametrize("lost", ["puzzle", "fields", "bytes"])
def test_a_damaged_line_is_read_as_line_by_line(lost: str) -> None:
    rows = [["a", GRID, SOLVED, "1"], ["b", GRID, SOLVED, "2"]]
    if lost == "puzzle":
        rows[1][1] = GRID[1:]
    elif lost == "fields":
        del rows[1][2:]
    block = block_of(rows)
    if lost == "bytes":
        block = block._replace(data=block.data.replace(b"\nb", b"\n\xff"))
        assert at_once(block, NAMES[1])[1].label == "ÿ"
    else:
        assert at_once(block, NAMES[1]) == one_by_one(block, NAMES[1])


def test_an_ordinary_table_is_read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["Anna", GRID, "7.5", ""], ["Ben", GRID, "", "x"]] * 4000
    monkeypatch.setattr(lines.LineReader, "_of_columns", None)
    names, data = "by,puzzle,rating,source", block_of(rows).data
    assert len(at_once(block_of(rows), names)) == 8000
    monkeypatch.undo()
    assert len(read(f"{names}\n".encode() + data)[1]) == 8000

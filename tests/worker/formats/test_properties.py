"""Every written grid is read unchanged, and a damaged file raises nothing but a FormatError."""

import io
import json
import random
from collections.abc import Callable
from math import isqrt
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.sudoku import BOXES
from tests.worker.formats.reading import DATA, flags, read, texts
from worker.formats.detection.alphabets import symbols_of
from worker.formats.errors import FormatError
from worker.formats.layout import FORMATS, Layout
from worker.formats.readers.judge import written
from worker.formats.source import open_source
from worker.formats.variants import is_region_map
from worker.sudoku.symbols import VALUES

SIDES = sorted(BOXES)
SAMPLES = sorted(
    path
    for folder in ("formats", "judge", "refused")
    for path in (DATA / folder).iterdir()
    if path.suffix not in {".expected", ".out"}
)
#: number of damaged copies of each sample
MUTATIONS = 40


def _layouts() -> list[tuple[str, Layout]]:
    """Return a value of --from and its layout for every shape, alphabet and side."""
    found = []
    for side in SIDES:
        for empty in ".0*_-":
            for shape in ("lines", "rows"):
                symbols = symbols_of("digits", side, {empty})
                found.append((shape, Layout(shape, "sudoku", side, symbols, shape=shape)))
        for shape in ("lines", "rows", "spaced") if side > 4 else ():
            letters = symbols_of("letters", side, {"-"})
            found.append(("letters", Layout("letters", "sudoku", side, letters, shape=shape)))
        found.append(("spaced", Layout("spaced", "sudoku", side, None, shape="spaced")))
        for shape in ("lines", "rows", "spaced") if side > 9 else ():
            hexes = symbols_of("hex", side, {"."})
            found.append(("hex", Layout("hex", "sudoku", side, hexes, shape=shape)))
    return found


LAYOUTS = _layouts()
#: layouts that must be detected; up to 9x9, grids in letters need --from
GUESSED = [layout for name, layout in LAYOUTS if name != "letters" or (layout.size or 0) > 9]


def _grids(side: int, most: int | None = 4) -> st.SearchStrategy[list[str]]:
    """Puzzles with an empty cell each, so that none is the solution of its neighbour; no maps."""
    cells, size = "." * side + VALUES[:side], side * side - 1
    puzzles = st.text(cells, min_size=size, max_size=size).map(lambda text: f"{text}.")
    puzzles = puzzles.filter(lambda text: not is_region_map(text))
    return st.lists(puzzles, min_size=1, max_size=most)


Case = tuple[str, Layout, list[str]]


@st.composite
def _cases(draw: Callable[[st.SearchStrategy[object]], object]) -> Case:
    name, layout = LAYOUTS[int(str(draw(st.integers(0, len(LAYOUTS) - 1))))]
    assert layout.size is not None
    grids = draw(_grids(layout.size))
    assert isinstance(grids, list)
    return name, layout, grids


def _file(layout: Layout, grids: list[str], between: str, end: str) -> bytes:
    lines: list[str] = []
    for grid in grids:
        lines += [*written(layout, layout.in_symbols(grid)), between]
    return end.join(lines).encode()


between = st.sampled_from(["", "====", "Grid 7"])
ends = st.sampled_from(["\n", "\r\n", "\r"])


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(_cases(), ends)
def test_every_written_grid_is_read_unchanged(case: Case, end: str) -> None:
    name, layout, grids = case
    separator = "" if layout.shape == "lines" else "===="
    assert texts(_file(layout, grids, separator, end), name) == grids


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(GUESSED), st.randoms(use_true_random=True), ends)
def test_a_format_is_detected_correctly_or_rejected(
    layout: Layout, dice: random.Random, end: str
) -> None:
    grids = [_puzzle(layout.size or 9, dice) for _ in range(dice.randint(1, 3))]
    try:
        understood = texts(_file(layout, grids, "", end))
    except FormatError as refusal:
        assert "\n" not in str(refusal)
        assert flags(refusal)
        return
    assert understood == grids


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([9, 16]),
    st.sampled_from(["rows", "spaced"]),
    st.sampled_from(["", "====", None]),
    st.booleans(),
    st.randoms(use_true_random=True),
)
def test_a_missing_or_doubled_row_never_makes_another_puzzle(
    side: int, shape: str, separator: str | None, lost: bool, dice: random.Random
) -> None:
    symbols = symbols_of("digits", side, {"."}) if shape == "rows" else None
    layout = Layout(shape, "sudoku", side, symbols, shape=shape)
    grids = [_puzzle(side, dice) for _ in range(dice.choice([1, 2, 3, 66]))]
    lines: list[str] = []
    for grid in grids:
        lines += [*written(layout, grid), *([] if separator is None else [separator])]
    at = dice.choice([i for i, line in enumerate(lines) if line != separator])
    lines[at : at + 1] = [] if lost else [lines[at]] * 2
    try:
        entries = read("\n".join(lines), shape)[1]
    except FormatError:
        return
    assert [entry for entry in entries if entry.error]
    assert {entry.text for entry in entries if not entry.error} <= set(grids)


def _puzzle(side: int, dice: random.Random) -> str:
    """Return a valid grid with random values, and a third of them as clues."""
    height, width = BOXES[side]
    values = dice.sample(VALUES[:side], side)
    return "".join(
        values[(width * (row % height) + row // height + column) % side]
        if dice.random() < 0.34
        else "."
        for row in range(side)
        for column in range(side)
    )


@settings(max_examples=100, deadline=None)
@given(_grids(9, None), st.data())
def test_mixed_line_ends_keep_every_line(grids: list[str], data: st.DataObject) -> None:
    content = "# head\r\n"
    for grid in grids:
        content += grid + data.draw(ends)
    if data.draw(st.booleans()):
        content = content.rstrip("\r\n")
    assert texts(content, "lines") == grids


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.booleans(), st.data())
def test_every_written_matrix_is_read_unchanged(
    rows: int, columns: int, dense: bool, data: st.DataObject
) -> None:
    row = st.lists(st.sampled_from("01"), min_size=columns, max_size=columns)
    matrix = data.draw(st.lists(row, min_size=rows, max_size=rows))
    joined = ("" if dense else " ").join
    content = f"{rows} {columns}\n" + "".join(joined(entries) + "\n" for entries in matrix)
    (text,) = texts(content, "matrix")
    options = [[i for i, entry in enumerate(entries, 1) if entry == "1"] for entries in matrix]
    expected = f'{{"items":{columns},"secondary":0,"options":{options}}}'.replace(" ", "")
    assert text == expected
    assert texts(content) == [text]


names = st.text("abcxyz#.-019", min_size=1, max_size=8)


def _with_costs(chosen: list[str], costs: list[int], dice: random.Random) -> str:
    """Return an option line: the items in their order, and costs anywhere after the first."""
    words = list(chosen)
    for cost in costs:
        words.insert(dice.randint(1, len(words)), f"|{cost}")
    return " ".join(words)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(names, min_size=1, max_size=8, unique=True).filter(lambda n: n[0][0] != "#"),
    st.randoms(use_true_random=True),
    st.data(),
)
def test_every_written_dlx_file_is_read_unchanged(
    items: list[str], dice: random.Random, data: st.DataObject
) -> None:
    primary = data.draw(st.integers(1, len(items)))
    option = st.lists(st.sampled_from(items), min_size=1, unique=True)
    cost = st.lists(st.integers(0, 10**8), max_size=3)
    options = data.draw(st.lists(st.tuples(option, cost), max_size=6))
    content = f"| a cover\n{' '.join(items[:primary])} | {' '.join(items[primary:])}\n"
    content += "".join(_with_costs(*one, dice) + "\n" for one in options)
    (text,) = texts(content, "dlx")
    problem = json.loads(text)
    assert problem["names"] == items
    assert (problem["items"], problem["secondary"]) == (primary, len(items) - primary)
    found = [[items[i - 1] for i in chosen] for chosen in problem["options"]]
    assert found == [chosen for chosen, _ in options]
    costs = [sum(costs) for _, costs in options]
    assert problem.get("costs") == (costs if any(costs for _, costs in options) else None)
    assert texts(text, "jsonl") == [text]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.sampled_from([None, *FORMATS]))
@example(b"", None)
@example(b"\n\n", "rows")
@example(b"end", "lines")
@example(b"0 0\n", "matrix")
@example(b"| x\n", "dlx")
def test_any_bytes_raise_nothing_but_a_format_error(content: bytes, name: str | None) -> None:
    _survives(content, name)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_damaged_files_raise_nothing_but_a_format_error(path: Path) -> None:
    content = path.read_bytes()
    dice = random.Random(path.name)
    for _ in range(MUTATIONS):
        damaged = _damaged(content, dice)
        for name in (None, dice.choice(list(FORMATS))):
            _survives(damaged, name)


def _damaged(content: bytes, dice: random.Random) -> bytes:
    cut, other = sorted(dice.choices(range(len(content) + 1), k=2))
    piece = content[cut:other]
    ways = (
        content[:cut],
        content[cut:],
        content[:cut] + content[other:],
        content[:other] + piece + content[other:],
        content[:cut] + bytes(dice.sample(piece, len(piece))) + content[other:],
        content[:cut] + dice.randbytes(3) + content[cut:],
        content[:cut] + dice.choice([b"\n", b"\r", b" ", b"|", b"end\n", b"#"]) + content[cut:],
    )
    return dice.choice(ways)


def _survives(content: bytes, name: str | None) -> None:
    lines = content.count(b"\n") + content.count(b"\r") + 1
    try:
        layout, entries = read(content, name)
    except FormatError as refusal:
        assert str(refusal)
        return
    has_any_alphabet = layout.format in {"json", "jsonl"} and name in {"letters", "hex"}
    assert name in {None, layout.format} or has_any_alphabet
    for entry in entries:
        assert 1 <= entry.line <= lines
        if entry.error is None:
            assert layout.kind == "cover" or _is_canonical(entry.text, layout)
        else:
            assert entry.error
            assert len(entry.text) <= 200


def _is_canonical(text: str, layout: Layout) -> bool:
    side = isqrt(len(text))
    return (
        side * side == len(text)
        and side in BOXES
        and set(text) <= set("." + VALUES[:side])
        and layout.size in {None, side}
    )


def test_a_source_reads_lazily() -> None:
    class Endless(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            return (("." * 81 + "\n") * (max(size, 82) // 82)).encode()

    with open_source("-", None, Endless()) as source:  # type: ignore[arg-type]
        entries = iter(source)
        assert [next(entries).line for _ in range(5000)] == list(range(1, 5001))

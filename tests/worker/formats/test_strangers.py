"""Files of other programs that are no list of ordinary sudokus are refused by name, or read right.

Each of them was once read as something else.
"""

import json
from collections.abc import Callable

import pytest

from tests.worker.formats.hostile import no_longer
from tests.worker.formats.reading import errors, read
from tests.worker.formats.writing import rows
from worker.formats.errors import FormatError

pytestmark = pytest.mark.attack

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
OTHER = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"
SOLVED = "987654321246173985351928746128537694634892157795461832519286473472319568863745219"
#: the regions of a jigsaw puzzle
REGIONS = "112222333111222333111122333444555666444555666444555666777888999777888999777888999"
LETTERS = REGIONS.translate(str.maketrans("123456789", "ABCDEFGHI"))
#: the same with a cell in the wrong region, and with a symbol that is no region
UNEVEN, WRONG = REGIONS[:4] + "1" + REGIONS[5:], REGIONS[:40] + "1" + REGIONS[41:]
FROM_ZERO = str.maketrans("123456789", "012345678")


def lines(*texts: str) -> str:
    return "".join(f"{text}\n" for text in texts)


def grid(cells: str) -> str:
    return lines(*rows(cells))


def spaced(cells: str) -> str:
    return lines(*map(" ".join, rows(cells)))


def readable(cells: str) -> str:
    """A grid as QQWing prints it."""
    boxes = ([row[at : at + 3] for at in (0, 3, 6)] for row in rows(cells))
    drawn = [" " + " | ".join(map(" ".join, row)) + " " for row in boxes]
    rule = "-------|-------|-------"
    return lines(*drawn[:3], rule, *drawn[3:6], rule, *drawn[6:], "")


def members(**others: object) -> str:
    return json.dumps({"puzzle": PUZZLE, **others})


#: objects that say by a member what they are
OBJECTS = {
    "cages": (members(cages=[{"cells": [[0, 0], [0, 1]], "value": 8}]), "a killer sudoku"),
    "cage": (members(cage=[[1, 2, 3]]), "a killer sudoku"),
    "killer": (members(killer={"a": [1, 2]}), "a killer sudoku"),
    "killer_cages": (members(killer_cages=[[1, 2, 3]]), "a killer sudoku"),
    "nested": (members(metadata={"cages": [[1, 2]]}), "a killer sudoku"),
    "thermos": (members(thermos=[[1, 2, 3]]), "a thermo sudoku"),
    "arrows": (members(Arrows=[[1, 2, 3]]), "an arrow sudoku"),
    "regions, text": (members(regions=REGIONS), "a jigsaw sudoku"),
    "regions, rows": (members(regions=rows(REGIONS)), "a jigsaw sudoku"),
    "regions, cells": (members(regions=[[[0, 0], [0, 1]], [[1, 1]]]), "a jigsaw sudoku"),
    "jigsaw": (members(jigsaw=REGIONS), "a jigsaw sudoku"),
    "diagonal": (members(diagonal=True), "a Sudoku X"),
    "diagonal+": (members(**{"diagonal+": True}), "a Sudoku X"),
    "antiknight": (members(antiknight=1), "an anti-chess sudoku"),
    "constraints": (members(constraints=[{"cells": [1]}]), "a sudoku with constraints"),
    "constraint": (members(constraints="killer"), "a killer sudoku"),
    "type": (members(type="Sudoku X"), "a Sudoku X"),
    "variant": (members(variant="windoku"), "a windoku"),
    "variants": (members(variants=["classic", "Jigsaw"]), "a jigsaw sudoku"),
    "rules": (members(rules="Normal sudoku rules apply. Anti-knight: ..."), "an anti-chess sudoku"),
    "f-puzzles": (
        json.dumps({"size": 9, "grid": [[{"value": 5}]], "killercage": [{"cells": ["R1C1"]}]}),
        "a killer sudoku",
    ),
    "SudokuPad": (
        json.dumps({"cells": [[{"value": 1}]], "cages": [{"cells": [[0, 0]]}]}),
        "a killer sudoku",
    ),
    "chat": (json.dumps({"prompt": f"Solve: {PUZZLE}", "completion": SOLUTION}), "a chat"),
    "chat of grids": (json.dumps({"prompt": PUZZLE, "completion": SOLUTION}), "a chat"),
    "roles": (
        json.dumps(
            {"messages": [{"role": role, "content": PUZZLE} for role in ("user", "assistant")]}
        ),
        "a chat",
    ),
    "instruction": (
        json.dumps({"instruction": "Solve", "input": PUZZLE, "output": SOLUTION}),
        "a chat",
    ),
}


@pytest.mark.parametrize("name", OBJECTS)
@pytest.mark.parametrize("place", ["alone", "first", "second", "indented"])
def test_an_object_that_is_no_ordinary_sudoku_is_refused_by_name(name: str, place: str) -> None:
    text, what = OBJECTS[name]
    good = members(title="Killer tune", author="Anna", difficulty="killer")
    content = {
        "alone": text,
        "first": lines(text, good),
        "second": lines(good, text),
        "indented": json.dumps(json.loads(text), indent=1),
    }[place]
    ((number, why),) = errors(content)
    assert number == (2 if place == "second" else 1)
    assert why.startswith(f"this is {what}, ")


@pytest.mark.parametrize(
    "others",
    [
        {"title": "Killer tune", "author": "Regions", "difficulty": "killer", "tags": ["easy"]},
        {"cages": [], "thermos": None, "diagonal": False, "arrows": "", "variant": "none"},
        {"type": "classic", "rules": "Normal sudoku rules apply to each row, column and region."},
        {"prompt": "Can you solve this?", "metadata": {"source": "a book"}},
    ],
)
def test_members_that_only_describe_a_puzzle_are_ignored(others: dict[str, object]) -> None:
    assert [entry.text for entry in read(members(**others))[1]] == [PUZZLE]


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("cages", "0+1=8", "a killer sudoku"),
        ("type", "Killer", "a killer sudoku"),
        ("regions", REGIONS, "a jigsaw sudoku"),
        ("diagonal", "1", "a Sudoku X"),
    ],
)
def test_a_row_of_columns_that_is_no_ordinary_sudoku_is_refused_by_name(
    name: str, value: str, what: str
) -> None:
    content = lines(f"puzzle,id,{name}", f"{PUZZLE},1,{value}", f"{PUZZLE},2,")
    assert [(n, why.startswith(f"this is {what}, ")) for n, why in errors(content)] == [(2, True)]


#: files whose words say what their grids are: the line that says it, and the name
WORDS = {
    "header": (lines("Type=Sudoku X") + grid(PUZZLE), 1, "a Sudoku X"),
    "header, one line each": (lines("Variant: Windoku", PUZZLE, OTHER), 1, "a windoku"),
    "header in a comment": (lines("#Type=Sudoku X") + grid(PUZZLE), 1, "a Sudoku X"),
    "header in a section": (
        lines("[Header]", "Type=Killer", "[Puzzle]") + grid(PUZZLE),
        2,
        "a killer sudoku",
    ),
    "section": (
        lines("[Puzzle]") + grid(PUZZLE) + "[Regions]\n" + grid(REGIONS),
        11,
        "a jigsaw sudoku",
    ),
    "cages": (
        lines("[Puzzle]") + grid(PUZZLE) + lines("[Cages]", "8 r1c1 r1c2"),
        11,
        "a killer sudoku",
    ),
    "title": (lines("Sudoku X") + grid(PUZZLE), 1, "a Sudoku X"),
    "title, one line each": (lines("Killer Sudoku 12", PUZZLE), 1, "a killer sudoku"),
    "second title": (lines("1") + grid(PUZZLE) + "Jigsaw #2\n" + grid(PUZZLE), 11, "a jigsaw"),
    "prose": (
        lines("Here is a nice killer sudoku I made:", "") + grid(PUZZLE),
        1,
        "a killer sudoku",
    ),
    "list of cages": (grid(PUZZLE) + lines("cage 10: A1 A2"), 10, "a killer sudoku"),
    "spaced": (lines("Anti-knight sudoku") + spaced(PUZZLE), 1, "an anti-chess sudoku"),
}


@pytest.mark.parametrize("name", WORDS)
def test_a_file_that_says_that_its_grids_are_no_ordinary_sudokus_is_refused(name: str) -> None:
    content, line, what = WORDS[name]
    with pytest.raises(FormatError, match=rf"line {line}: .* says that this is {what}"):
        read(content)


@pytest.mark.parametrize("text", ["# killer", "Killers of boredom, by Anna and a friend of hers"])
def test_comments_and_prose_that_name_no_kind_of_sudoku_are_skipped(text: str) -> None:
    assert [entry.text for entry in read(lines(text) + grid(PUZZLE))[1]] == [PUZZLE]


#: files with maps of regions: the line where the first begins
MAPS = {
    "rows": (grid(PUZZLE) + "\n" + grid(REGIONS), 11),
    "rows that follow at once": (grid(PUZZLE) + grid(REGIONS), 10),
    "rows from 0": (grid(PUZZLE) + "\n" + grid(REGIONS.translate(FROM_ZERO)), 11),
    "rows of letters": (grid(PUZZLE) + "\n" + grid(LETTERS), 11),
    "rows of small letters": (grid(PUZZLE) + "\n" + grid(LETTERS.lower()), 11),
    "spaced": (spaced(PUZZLE) + "\n" + spaced(REGIONS), 11),
    "lines": (lines(PUZZLE, REGIONS, OTHER, REGIONS), 2),
    "lines from 0": (lines(PUZZLE, REGIONS.translate(FROM_ZERO)), 2),
    "first": (lines(REGIONS, PUZZLE), 1),
    "regions of 8 and 10 cells": (grid(PUZZLE) + "\n" + grid(UNEVEN), 11),
    "a wrong symbol": (grid(PUZZLE) + "\n" + grid(WRONG), 11),
    "lines with a mistake": (lines(PUZZLE, UNEVEN, OTHER, WRONG), 2),
    "JSON": (json.dumps([rows(PUZZLE), rows(REGIONS)]), 1),
    "OpenSudoku": (
        f'<opensudoku><game data="{PUZZLE}"/>\n<game data="{REGIONS}"/></opensudoku>',
        2,
    ),
}


@pytest.mark.parametrize("name", MAPS)
def test_a_file_with_a_map_of_regions_is_refused(name: str) -> None:
    content, line = MAPS[name]
    with pytest.raises(FormatError, match=rf"line {line}: here is a map of regions"):
        read(content)


def test_a_map_of_letters_on_one_line_is_an_error() -> None:
    assert errors(lines(PUZZLE, LETTERS)) == [
        (2, "a map of regions; jigsaw sudokus are not solved")
    ]


#: a puzzle with the values 0 to 8, and one of which some empty cells are `0` and others `.`
ZEROS = {
    "values": PUZZLE.translate(FROM_ZERO),
    "mixed": PUZZLE[:40].replace(".", "0") + PUZZLE[40:],
}
SHAPES: dict[str, Callable[[str], str]] = {
    "rows": grid,
    "lines": lambda cells: lines(cells, cells),
    "labels": lambda cells: lines(f"{cells} one", f"two {cells}"),
    "spaced": spaced,
    "CSV": lambda cells: lines("puzzle,id", f"{cells},1"),
    "jsonl": lambda cells: json.dumps({"puzzle": cells}),
    "lists": lambda cells: json.dumps(list(map(list, rows(cells)))),
    "numbers": lambda cells: json.dumps(
        [[None if cell == "." else int(cell) for cell in row] for row in rows(cells)]
    ),
    "OpenSudoku": lambda cells: f'<opensudoku><game data="{cells}"/></opensudoku>',
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("zeros", ZEROS)
def test_0_beside_another_symbol_of_empty_cells_is_refused(shape: str, zeros: str) -> None:
    try:
        entries = read(SHAPES[shape](ZEROS[zeros]))[1]
    except FormatError as refusal:
        assert "the values can be 0 to 8" in str(refusal)  # or each grid is an error
    else:
        why = "0 can be a value here; write . for every empty cell"
        assert all((entry.error or "").endswith(why) for entry in entries)


def test_each_line_may_have_its_own_symbol_of_empty_cells() -> None:
    content = lines(PUZZLE, PUZZLE.replace(".", "0"), PUZZLE.replace(".", "*"))
    assert [entry.text for entry in read(content)[1]] == [PUZZLE] * 3


@pytest.mark.parametrize(
    "content",
    [
        grid(PUZZLE).replace(".", ""),
        spaced(PUZZLE).replace(".", ""),
        lines(*(" ".join(row.replace(".", "")) for row in rows(PUZZLE))),
        lines(*(row.replace(".", " ").rstrip() for row in rows(PUZZLE))),
        lines(*(row.replace(".", " ").strip() for row in rows(PUZZLE))),
        lines(*(",".join(row.replace(".", "")) for row in rows(PUZZLE))),
        json.dumps([[cell for cell in row if cell != "."] for row in rows(PUZZLE)]),
    ],
)
def test_rows_of_different_lengths_without_a_symbol_of_empty_cells_are_refused(
    content: str,
) -> None:
    try:
        entries = read(content)[1]
    except FormatError:
        return
    assert all(entry.error for entry in entries)


def test_lines_of_many_blanks_are_skipped_quickly() -> None:
    blank = " " * 1900
    skipped = lines(f"#{blank}x", f"[{blank}]", f"{blank}x=") * 99
    content = lines("[Puzzle]") + grid(PUZZLE) + lines("[State]") + skipped
    with no_longer(5.0):
        assert [entry.text for entry in read(content)[1]] == [PUZZLE]

"""Grids drawn as SVG."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from storage.view import AnswerRow
from tests.cli.answers import BEST, COVER, INVALID, NONE, PUZZLE, TARGET, UNIQUE
from tests.cli.conftest import Bullseye, Database
from tests.sudoku import BOXES
from worker.formats.svg import RING_COLOURS, RING_WEIGHTS, draw_svg

NS = "{http://www.w3.org/2000/svg}"
LARGE = UNIQUE._replace(size=25, puzzle="." * 625, solution="P" * 625)


def parsed(answer: AnswerRow, *, rings: bool = False) -> tuple[list[str], list[str], list[bool]]:
    """Return the symbols, the colours of the cells, and which symbols are bold."""
    root = ElementTree.fromstring(draw_svg(answer, "a < b & c", rings=rings))
    *texts, words = root.findall(f"{NS}text")
    assert words.text == root.findtext(f"{NS}title") == "a < b & c"
    cells = root.findall(f"{NS}rect")[1:]
    bold = [text.get("font-weight") == "bold" for text in texts]
    return [text.text or "" for text in texts], [cell.get("fill", "") for cell in cells], bold


@pytest.mark.parametrize("answer", [TARGET, UNIQUE, LARGE])
def test_every_cell_is_drawn_and_clues_are_bold(answer: AnswerRow) -> None:
    symbols, colours, bold = parsed(answer)
    assert "".join(symbols) == answer.solution
    assert len(colours) == len(answer.puzzle)
    assert bold == [clue != "." for clue in answer.puzzle]


def test_without_a_solution_the_puzzle_is_drawn() -> None:
    assert "".join(parsed(NONE)[0]) == PUZZLE.replace(".", "")


def test_rings_have_their_colours() -> None:
    colours = parsed(TARGET, rings=True)[1]
    assert colours == [RING_COLOURS[weight] for weight in RING_WEIGHTS]


@pytest.mark.parametrize("size", sorted(BOXES))
def test_thick_lines_are_those_of_the_boxes(size: int) -> None:
    answer = UNIQUE._replace(puzzle="." * size**2, solution=None, size=size)
    paths = ElementTree.fromstring(draw_svg(answer, "", rings=False)).findall(f"{NS}path")
    thin, thick = (path.get("d", "") for path in paths)
    assert [path.get("stroke-width") for path in paths] == ["1", "2.5"]
    height, width = BOXES[size]
    assert (thick.count("H"), thick.count("V")) == (width + 1, height + 1)
    assert (thin.count("H"), thin.count("V")) == (size - width, size - height)


def test_show_writes_the_picture_to_a_file_or_stdout(
    bullseye: Bullseye, database: Database, home: Path
) -> None:
    database.store([TARGET._replace(label="<b>")])
    assert bullseye("show", 1, "--svg", "best.svg") == (0, "", "")
    text = (home / "best.svg").read_text()
    words = "puzzle 1 · score 2870 · optimal · <b>"
    assert ElementTree.fromstring(text).findtext(f"{NS}title") == words
    assert BEST[0] in text
    assert bullseye("show", 1, "--svg", "-").out == text


@pytest.mark.parametrize(
    ("answer", "what"), [(COVER, "is an exact cover"), (INVALID, "is an invalid line")]
)
def test_covers_and_invalid_lines_are_not_drawn(
    answer: AnswerRow, what: str, bullseye: Bullseye, database: Database, home: Path
) -> None:
    database.store([answer])
    result = bullseye("show", 1, "--svg", "x.svg")
    assert result.code == 2
    assert result.err.startswith(
        f"error: puzzle 1 {what}; --svg draws grids, or with --tree a search."
    )
    assert not (home / "x.svg").exists()

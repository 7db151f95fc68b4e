"""OpenSudoku's XML: only clues are read, and entities are never expanded."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.worker.formats.reading import DATA, GRID, errors, read, texts
from worker.formats.errors import FormatError

cells = st.lists(
    st.tuples(st.integers(0, 9), st.booleans(), st.sampled_from(["0", "-", "12"])),
    min_size=81,
    max_size=81,
)


def collection(*data: str) -> str:
    games = "".join(f'<game data="{one}"/>\n' for one in data)
    return f'<?xml version="1.0"?>\n<opensudoku>\n{games}</opensudoku>\n'


@settings(max_examples=50, deadline=None)
@given(cells, st.sampled_from([1, 2]))
def test_values_entered_by_the_player_are_not_clues(
    drawn: list[tuple[int, bool, str]], notes: int
) -> None:
    fields = [
        f"{value}|{'|'.join([note] * notes)}|{int(editable)}|" for value, editable, note in drawn
    ]
    clues = [str(value) if value and not editable else "." for value, editable, _ in drawn]
    assert texts(collection("version: 3&#10;" + "".join(fields))) == ["".join(clues)]


def test_a_game_without_a_name_is_labelled_with_its_folder() -> None:
    content = (
        f'<opensudoku><folder name="A"><game data="{GRID}"/></folder>'
        f'<folder name="B"><game name="C" data="{GRID}"/></folder></opensudoku>'
    )
    assert [entry.label for entry in read(content.replace(".", "0"))[1]] == ["A", "C"]


def test_a_game_without_a_grid_is_an_error_and_the_others_are_read() -> None:
    content = collection(GRID[1:], GRID, "version: 1 1|2|3", GRID.replace("9", "x"))
    why = "`data` of this game is not a grid of 81 cells"
    assert errors(content) == [(3, why), (5, why), (6, why)]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (collection(GRID).replace("</opensudoku>", ""), "line 4: the XML cannot be read"),
        (collection(GRID).replace("<game", "<game&"), "line 3: the XML cannot be read"),
        (
            '<?xml version="1.0"?>\n<!DOCTYPE x [<!ENTITY a "bc"><!ENTITY b "&a;&a;">]>\n'
            f'<opensudoku><game data="&b;{GRID}"/></opensudoku>',
            "line 2: the XML declares a document type, which no puzzle needs",
        ),
    ],
)
def test_damaged_xml_and_entities_are_rejected(content: str, what: str) -> None:
    with pytest.raises(FormatError) as refusal:
        read(content)
    assert what in str(refusal.value)


@pytest.mark.attack
@pytest.mark.parametrize("tag", ["cages", "Regions", "constraint"])
def test_a_tag_that_may_add_rules_is_rejected(tag: str) -> None:
    inside = collection(GRID).replace("/>", f'><{tag} sum="3"/></game>', 1)
    beside = collection(GRID).replace("</open", f"<{tag}/></open")
    for content in (inside, beside):
        with pytest.raises(FormatError, match=f"<{tag}> is no tag of ordinary sudokus; remove it"):
            read(content)


def test_tags_about_a_collection_are_no_rules() -> None:
    about = "<name>A</name><author/><description>b</description><created/><sourceURL/>"
    content = collection(GRID).replace("<opensudoku>", f"<opensudoku>{about}")
    assert texts(content) == [GRID]


@pytest.mark.attack
@pytest.mark.parametrize("before", ["# from my phone\n", "\n\n", "\n# from my phone\n\n"])
@pytest.mark.parametrize("name", ["opensudoku.xml", "opensudoku-folders.xml"])
def test_comments_before_the_xml_change_nothing(before: str, name: str) -> None:
    content = (DATA / "formats" / name).read_text()
    entries = [entry._replace(line=0) for entry in read(content)[1]]
    layout, found = read(before + content)
    assert layout.format == "opensudoku"
    assert [entry._replace(line=0) for entry in found] == entries

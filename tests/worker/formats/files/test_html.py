"""The tables of HTML pages, apart from those that every collection has."""

import pytest

from tests.worker.formats.reading import GRID, errors, read
from worker.formats.errors import FormatError
from worker.formats.files.html import MAX_TAG_CHARACTERS
from worker.formats.files.text import HEAD_BYTES


def test_hidden_texts_and_commas_are_no_values() -> None:
    page = (
        "<html><head><title>a,b</title><style>td {}</style></head><table>"
        "<tr><th>puzzle</th><th>by</th></tr>"
        f"<tr><td>{GRID}<script>7</script></td><td>Anna, B</td></tr></table></html>"
    )
    (entry,) = read(page)[1]
    assert (entry.text, entry.label) == (GRID, "Anna  B")
    assert not errors(page)


def test_a_character_may_lie_across_two_reads() -> None:
    start = "<html><table><tr><th>puzzle</th><th>by</th></tr>"
    row = f"<tr><td>{GRID}</td><td>{'題' * 100}</td></tr>"
    page = f"{start}{row * (3 * HEAD_BYTES // len(row))}</table></html>"
    assert {entry.label for entry in read(page)[1]} == {"題" * 100}


def test_a_tag_without_an_end_takes_little_memory() -> None:
    page = "<html><table><tr><td>1</td></tr><td " + "x" * (MAX_TAG_CHARACTERS + 100_000)
    with pytest.raises(FormatError, match="has a tag of more than 1,048,576 characters"):
        read(page + "\n")

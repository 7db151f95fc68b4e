"""What the READMEs show is what is printed."""

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.readme.reading import FILES
from tests.readme.session import masked, played


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_every_console_block_prints_what_it_shows(file: Path) -> None:
    shown = file.read_text()
    printed = played(shown)
    difference = unified_diff(
        masked(shown).splitlines(), masked(printed).splitlines(), "shown", "printed", lineterm=""
    )
    told = "\n".join(difference)
    assert not told, f"{told}\n\npython -m tests.readme.session writes it anew"

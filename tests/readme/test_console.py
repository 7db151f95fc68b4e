"""The console blocks of the documents show what the commands print."""

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.readme.reading import PAGES, ROOT, blocks
from tests.readme.session import executed, masked

EXECUTED = [
    page for page in PAGES if any(block.language == "console" for block in blocks(page.read_text()))
]


@pytest.mark.parametrize("page", EXECUTED, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_console_block_shows_what_its_commands_print(page: Path) -> None:
    shown = page.read_text()
    printed = executed(shown)
    difference = "\n".join(
        unified_diff(
            masked(shown).splitlines(),
            masked(printed).splitlines(),
            "shown",
            "printed",
            lineterm="",
        )
    )
    assert not difference, f"{difference}\n\nTo update: python -m tests.readme.session"

"""What README.md shows is what is printed."""

from difflib import unified_diff

from tests.readme.reading import FILE
from tests.readme.session import masked, played


def test_every_console_block_prints_what_it_shows() -> None:
    shown = FILE.read_text()
    printed = played(shown)
    difference = unified_diff(
        masked(shown).splitlines(), masked(printed).splitlines(), "shown", "printed", lineterm=""
    )
    told = "\n".join(difference)
    assert not told, f"{told}\n\npython -m tests.readme.session writes it anew"

"""Every link between the documents leads to a file, and to a heading of it."""

import re
from pathlib import Path

import pytest

from tests.readme.reading import PAGES, ROOT, anchor, linked

DOCUMENTS = (
    *PAGES,
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "examples" / "README.md",
    ROOT / "storage" / "README.md",
    ROOT / "tests" / "data" / "README.md",
    ROOT / "worker" / "exact_cover" / "README.md",
)


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    broken = [link for link in linked(page.read_text()) if not leads_somewhere(page, link)]
    assert not broken


def leads_somewhere(page: Path, link: str) -> bool:
    path, _, fragment = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return False
    headings = re.findall(r"^#+ (.+)$", target.read_text(), re.MULTILINE) if fragment else []
    return not fragment or fragment in map(anchor, headings)


def test_every_page_for_users_is_linked_from_the_readme() -> None:
    readme, *pages = PAGES
    targets = {readme.parent / link.partition("#")[0] for link in linked(readme.read_text())}
    assert set(pages) <= targets

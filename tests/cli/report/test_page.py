"""The page of `bullseye stats --html`."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.report import charts
from storage.view import AnswerRow
from tests.cli.answers import INVALID, NONE, TARGET, TIMEOUT, UNIQUE
from tests.cli.conftest import Bullseye, Database

#: elements without an end tag
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Tree(HTMLParser):
    """Checks that elements are nested properly; collects their texts and links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in {"href", "src"}]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.addresses += [value or "" for name, value in attrs if name in {"href", "src"}]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"script", "style"}:
            self.texts.append(data)


def read(text: str) -> Tree:
    tree = Tree()
    tree.feed(text)
    tree.close()
    assert not tree.open
    return tree


def page(bullseye: Bullseye, batch: int) -> str:
    result = bullseye("stats", batch, "--html", "-")
    assert (result.code, result.err) == (0, "")
    return result.out


def test_a_page_shows_facts_scores_and_the_hardest_puzzles(
    bullseye: Bullseye, database: Database
) -> None:
    many = [TARGET._replace(ms=float(ms), score=2840 + ms) for ms in range(1, 31)]
    batch = database.store([*many, NONE], name="sunday", kind="target", target=True)
    text = page(bullseye, batch)
    words = " ".join(read(text).texts)
    assert f"Batch {batch}" in words
    assert "sunday" in words
    assert "best score" in words
    assert "20 above the average, 2850" in words
    assert 'data-name="9"' in text  # the heat map of the nines
    assert text.count("<figure>") == 3 + 6  # charts and the hardest puzzles
    assert "bullseye show 30" in words


def test_a_page_loads_no_other_resource(bullseye: Bullseye, database: Database) -> None:
    text = page(bullseye, database.store([TARGET] * 3, kind="target", target=True))
    assert not read(text).addresses
    assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text


def test_text_from_users_is_escaped(bullseye: Bullseye, database: Database) -> None:
    evil = "<script>alert(1)</script>'\"&"
    batch = database.store([UNIQUE], name=evil)
    text = page(bullseye, batch)
    assert "<script>alert" not in text
    assert evil in "".join(read(text).texts)


@pytest.mark.parametrize(
    "answers",
    [
        [],
        [INVALID],
        [UNIQUE._replace(ms=0.0)],
        [TIMEOUT, NONE],
        [UNIQUE._replace(size=25, puzzle="." * 625, solution=None, status="timeout")],
        [UNIQUE._replace(kind="cover", size=None, clues=None, solution="1 2 3", puzzle="{}")],
        [TARGET._replace(score=None, bound=None, solution=None, status="timeout")],
        [UNIQUE, TARGET._replace(score=-5)],
    ],
)
def test_a_page_of_any_batch_is_well_formed(
    bullseye: Bullseye, database: Database, answers: list[AnswerRow]
) -> None:
    read(page(bullseye, database.store(answers, waiting=2)))


def test_a_page_needs_one_batch_and_excludes_other_outputs(
    bullseye: Bullseye, database: Database
) -> None:
    database.store([UNIQUE])
    assert bullseye("stats", "--html", "-").code == 2
    assert "--html describes one batch" in bullseye("stats", "--html", "-").err
    assert bullseye("stats", "1", "--html", "-", "--json").code == 2
    assert bullseye("stats", "7", "--html", "-").code == 2


def test_a_page_is_written_to_a_file(bullseye: Bullseye, database: Database, home: Path) -> None:
    result = bullseye("stats", database.store([UNIQUE]), "--html", "page.html")
    assert (result.code, result.out) == (0, "")
    assert (home / "page.html").read_text().startswith("<!doctype html>")


def test_one_bin_of_scores_starts_at_the_average() -> None:
    width, bins = charts.bin_counts([(2840, 3), (2850, 5), (2851, 1), (2906, 1)], 2850)
    assert sum(puzzles for _, puzzles in bins) == 10
    assert all((2850 - least) % width == 0 for least, _ in bins)

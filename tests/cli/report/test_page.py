"""The page that `bullseye stats --html` writes."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.output.row import AnswerRow
from cli.report import charts
from tests.cli.answers import INVALID, NONE, TARGET, TIMEOUT, UNIQUE
from tests.cli.conftest import Bullseye, Filled

#: elements that have no end
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Tree(HTMLParser):
    """Checks that every element ends where it should; keeps texts and addresses."""

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
    said = bullseye("stats", batch, "--html", "-")
    assert (said.code, said.err) == (0, "")
    return said.out


def test_a_page_tells_figures_scores_and_the_slowest(bullseye: Bullseye, filled: Filled) -> None:
    many = [TARGET._replace(ms=float(ms), score=2840 + ms) for ms in range(1, 31)]
    batch = filled.store([*many, NONE], name="sunday", kind="target", target=True)
    text = page(bullseye, batch)
    words = " ".join(read(text).texts)
    assert f"Batch {batch}" in words
    assert "sunday" in words
    assert "best score" in words
    assert "+20 against 2850" in words
    assert 'data-name="9"' in text  # a map of where the nines stand
    assert text.count("<figure>") == 3 + 6  # charts, and the hardest puzzles
    assert f"bullseye show {batch * 0 + 30}" in words


def test_a_page_needs_nothing_but_itself(bullseye: Bullseye, filled: Filled) -> None:
    text = page(bullseye, filled.store([TARGET] * 3, kind="target", target=True))
    assert not read(text).addresses
    assert set(re.findall(r"https?://[^\s\"']+", text)) <= {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text


def test_what_users_wrote_is_text_and_nothing_else(bullseye: Bullseye, filled: Filled) -> None:
    evil = "<script>alert(1)</script>'\"&"
    batch = filled.store([UNIQUE], name=evil)
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
def test_a_page_of_whatever_there_is(
    bullseye: Bullseye, filled: Filled, answers: list[AnswerRow]
) -> None:
    read(page(bullseye, filled.store(answers, waiting=2)))


def test_a_page_is_of_one_batch_and_nothing_else(bullseye: Bullseye, filled: Filled) -> None:
    filled.store([UNIQUE])
    assert bullseye("stats", "--html", "-").code == 2
    assert "--html is about one batch" in bullseye("stats", "--html", "-").err
    assert bullseye("stats", "1", "--html", "-", "--json").code == 2
    assert bullseye("stats", "7", "--html", "-").code == 2


def test_a_page_goes_into_a_file(bullseye: Bullseye, filled: Filled, home: Path) -> None:
    said = bullseye("stats", filled.store([UNIQUE]), "--html", "page.html")
    assert (said.code, said.out) == (0, "")
    assert (home / "page.html").read_text().startswith("<!doctype html>")


def test_scores_are_gathered_around_the_average() -> None:
    width, bins = charts.binned([(2840, 3), (2850, 5), (2851, 1), (2906, 1)], 2850)
    assert sum(puzzles for _, puzzles in bins) == 10
    assert all((2850 - least) % width == 0 for least, _ in bins)

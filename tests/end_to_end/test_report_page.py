"""The HTML report of a batch and the picture of a puzzle in a real browser without a network."""

import re
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Literal, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.end_to_end.bullseye import Bullseye
from tests.services import missing

TARGETS = Path(__file__).parent.parent.parent / "examples" / "target.txt"
SINGLE = "4...3.......6..8..........1....5..9..8....6...7.2........1.27..5.3....4.9........"
LONG_LABEL = "一个很长的标签 " * 6 + "and its end"
#: the caption of the table of the hardest puzzles
HARDEST = "Puzzles with the most search nodes"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("google-chrome") or missing("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


class Written(NamedTuple):
    """The files written about two batches: ten solved targets and one sudoku."""

    targets: Path
    single: Path
    picture: Path  #: of a puzzle with a long label


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    bullseye = Bullseye(tmp_path_factory.mktemp("page"), redis_url="redis://127.0.0.1:1/0")
    bullseye.out("solve", "--target", str(TARGETS))
    bullseye.out("solve", "-", stdin=f"{SINGLE} {LONG_LABEL}\n")
    found = Written(*(bullseye.folder / name for name in ("10.html", "1.html", "11.svg")))
    bullseye.out("stats", "1", "--html", found.targets.name)
    bullseye.out("stats", "2", "--html", found.single.name)
    bullseye.out("show", "11", "--svg", found.picture.name)
    return found


@pytest.fixture
def page(browser: Browser, written: Written) -> Iterator[Page]:
    """The report on an offline phone with a dark theme; fails on console errors and on requests."""
    context = browser.new_context(
        offline=True, color_scheme="dark", viewport={"width": 375, "height": 800}
    )
    page, wrong = context.new_page(), []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(written.targets.as_uri())
    yield page
    context.close()
    assert (wrong, asked) == ([], [written.targets.as_uri()])


def column(page: Page, name: str) -> list[float]:
    """The numbers in a column of the table of the hardest puzzles, from top to bottom."""
    table = page.locator("table", has_text=HARDEST)
    heads = table.locator("thead th").all_inner_texts()
    place = [head.strip() for head in heads].index(name) + 1
    cells = table.locator(f"tbody tr > :nth-child({place})").all_inner_texts()
    return [float(cell.replace(",", "")) for cell in cells]


def test_a_click_sorts_a_table_and_a_second_click_reverses_it(page: Page) -> None:
    nodes = column(page, "nodes")
    assert nodes == sorted(nodes, reverse=True)
    head = page.locator("table", has_text=HARDEST).get_by_role("button", name="score")
    head.click()
    scores = column(page, "score")
    assert scores == sorted(scores, reverse=True)
    assert column(page, "nodes") != nodes
    head.click()
    assert column(page, "score") == sorted(scores)


def test_a_click_shows_the_map_of_a_digit(page: Page) -> None:
    maps = page.locator(".heat")
    assert maps.count() == 10
    assert [maps.nth(n).is_visible() for n in range(10)].count(True) == 1
    page.get_by_role("button", name="9", exact=True).click()
    assert page.locator('.heat[data-name="9"]').is_visible()
    assert [maps.nth(n).is_visible() for n in range(10)].count(True) == 1


def test_the_page_fits_a_phone_and_is_drawn_in_both_colour_schemes(
    page: Page, tmp_path: Path
) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    taken = page.screenshot(path=tmp_path / "page.png", full_page=True)
    page.emulate_media(color_scheme="light")
    assert len(taken) > 50_000  # an empty page has a tenth of that
    assert page.screenshot(full_page=True) != taken


class Box(NamedTuple):
    """The rectangle of a text on the screen."""

    text: str
    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: "Box") -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def text_boxes(page: Page, selector: str) -> list[Box]:
    """The boxes of the texts that are shown."""
    found = page.locator(selector).evaluate_all(
        "all => all.map(one => [one.textContent, one.getBoundingClientRect()])"
        ".map(([text, box]) => [text, box.left, box.top, box.right, box.bottom])"
    )
    return [Box(*values) for values in found if values[1] != values[3]]


@pytest.mark.parametrize("width", [375, 768, 1280])
@pytest.mark.parametrize("file", ["targets", "single"])
def test_no_two_labels_of_a_chart_overlap(
    browser: Browser, written: Written, file: str, width: int
) -> None:
    with browser.new_page(viewport={"width": width, "height": 800}) as page:
        page.goto(getattr(written, file).as_uri())
        charts = page.locator(".chart").count()
        assert charts == {"targets": 3, "single": 2}[file]
        for index in range(charts):
            boxes = text_boxes(page, f".chart >> nth={index} >> text")
            assert len(boxes) > 2
            pairs = [
                (one.text, other.text)
                for one, other in combinations(boxes, 2)
                if one.overlaps(other)
            ]
            assert not pairs


#: for each cell of an SVG: colours of text and cell, opacity, colour below, factor of brightness
COLOURS = """svg => [...svg.querySelectorAll('rect + text')].map(text => {
  const [ink, cell, card] = [text, text.previousElementSibling, svg.closest('section')]
    .map(one => getComputedStyle(one));
  const bright = getComputedStyle(svg).filter.match(/brightness\\((.*)\\)/);
  return [ink.fill, cell.fill, cell.fillOpacity, card.backgroundColor, bright ? bright[1] : '1'];
})"""


def luminance(colour: list[float]) -> float:
    """Relative luminance as WCAG 2.2 defines it; components from 0 to 255."""
    linear = [
        part / 255 / 12.92 if part <= 10.31 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in colour
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(ink: str, cell: str, opacity: str, card: str, bright: str) -> float:
    """Contrast ratio of a text on a cell that is drawn over a card."""

    def components(colour: str) -> list[float]:
        return [float(bright) * float(part) for part in re.findall(r"[\d.]+", colour)[:3]]

    share = float(opacity)
    layers = zip(components(cell), components(card), strict=True)
    below = luminance([share * upper + (1 - share) * lower for upper, lower in layers])
    lighter, darker = sorted([luminance(components(ink)), below], reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_digits_in_maps_and_grids_stand_out(
    browser: Browser, written: Written, scheme: Literal["light", "dark"]
) -> None:
    with browser.new_page(color_scheme=scheme) as page:
        page.goto(written.targets.as_uri())
        drawn = page.locator(".heat svg, .grids svg")
        cells = [
            cell for index in range(drawn.count()) for cell in drawn.nth(index).evaluate(COLOURS)
        ]
        assert len(cells) == (10 + 6) * 81
        assert min(contrast(*cell) for cell in cells) >= 4.5


def test_a_table_wider_than_the_screen_says_so_until_it_is_scrolled(page: Page) -> None:
    box = page.locator(".scroll", has_text=HARDEST)
    hint = "box => getComputedStyle(box, '::before').visibility"
    assert box.evaluate(hint) == "visible"
    box.evaluate("box => box.scrollTo({left: box.scrollWidth})")
    # The policy of the page forbids to evaluate a text, as `wait_for_function` may do.
    expect(box).not_to_have_class(re.compile(r"\bmore\b"))
    assert box.evaluate(hint) == "hidden"


def test_puzzles_can_be_copied_as_text(page: Page) -> None:
    page.get_by_text("Text to copy").first.click()
    shown = page.locator("code.text").first
    assert shown.is_visible()
    assert shown.inner_text() in TARGETS.read_text().split()


def test_the_heat_map_says_of_how_many_grids_it_is(page: Page) -> None:
    captions = page.locator(".heat figcaption").all_inner_texts()
    assert all("10 grids" in caption for caption in captions if caption)
    assert "So few grids differ mostly by their clues." in page.locator("#heat p").inner_text()


def test_the_caption_of_a_picture_is_drawn_whole(browser: Browser, written: Written) -> None:
    with browser.new_page(viewport={"width": 375, "height": 800}) as page:
        page.goto(written.picture.as_uri())
        lines = text_boxes(page, "svg > text[font-size='13']")
        whole = page.locator("svg").evaluate("svg => svg.getBoundingClientRect().toJSON()")
    words = " ".join(line.text for line in lines)
    assert words.endswith("and its end")
    assert words.count("一个很长的标签") == 6
    assert all(line.left >= whole["left"] and line.right <= whole["right"] for line in lines)
    assert all(line.bottom <= whole["bottom"] for line in lines)

"""The HTML report of a batch in a real browser without a network."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.end_to_end.bullseye import Bullseye
from tests.services import missing

TARGETS = Path(__file__).parent.parent.parent / "examples" / "target.txt"
#: the caption of the table of the slowest puzzles
SLOWEST = "Puzzles with the longest solving times"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("google-chrome") or missing("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a batch of solved targets."""
    bullseye = Bullseye(tmp_path_factory.mktemp("page"), redis_url="redis://127.0.0.1:1/0")
    bullseye.out("solve", "--target", str(TARGETS))
    bullseye.out("stats", "1", "--html", "page.html")
    return bullseye.folder / "page.html"


@pytest.fixture
def page(browser: Browser, written: Path) -> Iterator[Page]:
    """The report on an offline phone with a dark theme; fails on console errors and on requests."""
    context = browser.new_context(
        offline=True, color_scheme="dark", viewport={"width": 375, "height": 800}
    )
    page, wrong = context.new_page(), []
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(written.as_uri())
    yield page
    context.close()
    assert (wrong, asked) == ([], [written.as_uri()])


def column(page: Page, name: str) -> list[float]:
    """The numbers in a column of the table of the slowest puzzles, from top to bottom."""
    table = page.locator("table", has_text=SLOWEST)
    heads = table.locator("thead th").all_inner_texts()
    place = [head.strip() for head in heads].index(name) + 1
    cells = table.locator(f"tbody tr > :nth-child({place})").all_inner_texts()
    return [float(cell.replace(",", "")) for cell in cells]


def test_a_click_sorts_a_table_and_a_second_click_reverses_it(page: Page) -> None:
    times = column(page, "ms")
    assert times == sorted(times, reverse=True)
    head = page.locator("table", has_text=SLOWEST).get_by_role("button", name="score")
    head.click()
    scores = column(page, "score")
    assert scores == sorted(scores, reverse=True)
    assert column(page, "ms") != times
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

"""The pages of `bullseye serve` in a real browser: every width and theme, by keyboard, and live."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.end_to_end.bullseye import COMMAND, Bullseye
from tests.end_to_end.test_report_page import browser

__all__ = ["browser"]
EXAMPLES = Path(__file__).parent.parent.parent / "examples"
Theme = Literal["light", "dark"]
LABEL = "a_label_without_any_space_" * 6


@pytest.fixture(scope="module")
def bullseye(tmp_path_factory: pytest.TempPathFactory) -> Bullseye:
    """A database with a batch of targets, and one with a long label."""
    made = Bullseye(tmp_path_factory.mktemp("serve"), redis_url="redis://127.0.0.1:1/0")
    made.out("solve", "--target", "--name", "targets", str(EXAMPLES / "target.txt"))
    made.out("solve", "-", stdin=f"12...4.....3..2. {LABEL}\n")
    return made


@pytest.fixture(scope="module")
def address(bullseye: Bullseye) -> Iterator[str]:
    with serving(bullseye) as printed:
        yield printed


@contextmanager
def serving(bullseye: Bullseye) -> Iterator[str]:
    """Run the command; yield the address that it prints."""
    command, stderr = [*COMMAND, "serve"], subprocess.PIPE
    with subprocess.Popen(command, env=bullseye.env, stderr=stderr, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert found, line
        yield found.group()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 130


@contextmanager
def opened(browser: Browser, width: int, theme: Theme) -> Iterator[Page]:
    """Yield a page of this width; fail on errors in its console, and on requests elsewhere."""
    context = browser.new_context(color_scheme=theme, viewport={"width": width, "height": 900})
    page, wrong = context.new_page(), list[str]()
    page.on("console", lambda message: wrong.append(message.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None if request.url.startswith("http://127.0.0.1:") else wrong.append(request.url)
        ),
    )
    yield page
    context.close()
    assert [one for one in wrong if "favicon" not in one] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 800, 1600])
def test_every_page_fits_every_width_in_both_themes(
    browser: Browser, address: str, width: int, theme: Theme
) -> None:
    with opened(browser, width, theme) as page:
        page.goto(address)
        root = page.url
        for path in ("", "batch/1", "batch/2", "puzzle/1", "puzzle/11", "batch/2/retry"):
            page.goto(root + path)
            expect(page.locator("h1")).to_be_visible()
            wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert page.evaluate(wide) <= 0, path


def test_a_way_through_the_pages_needs_no_mouse(browser: Browser, address: str) -> None:
    with opened(browser, 1000, "light") as page:
        page.goto(address)
        page.get_by_role("link", name="batch 1 targets").focus()
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_contain_text("targets")
        page.get_by_label("sort").focus()
        page.keyboard.type("-score")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("sort=-score"))
        page.locator("#answers tbody a").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator("h1")).to_contain_text("Puzzle")
        expect(page.locator("figure svg")).to_be_visible()


def test_a_batch_is_paused_and_resumed_after_a_question(
    browser: Browser, bullseye: Bullseye, address: str, redis_url: str
) -> None:
    waiting = Bullseye(bullseye.folder, redis_url=redis_url)
    waiting.out("submit", "--name", "waiting", str(EXAMPLES / "sudoku.txt"))
    with opened(browser, 1000, "dark") as page:
        page.goto(address)
        page.get_by_role("link", name="waiting").click()
        for action, state in (("Pause", "paused"), ("Resume", "waiting"), ("Cancel", "cancelled")):
            page.get_by_role("link", name=action).click()
            page.get_by_role("button", name=action).click()
            expect(page.locator("pre")).to_contain_text(f"· {state} ·")

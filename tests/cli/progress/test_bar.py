"""The progress bar."""

import pytest
from rich.progress import BarColumn

from cli.progress.bar import PercentColumn, ProgressBar
from cli.streams import Colour


def test_the_bar_has_not_the_red_of_a_failure() -> None:
    bar = next(one for one in ProgressBar().columns if isinstance(one, BarColumn))
    assert bar.complete_style == f"color({Colour.BLUE:d})"


@pytest.mark.parametrize(
    ("done", "total", "text"),
    [(0, 10, "  0 %"), (239_900, 240_000, " 99 %"), (240_000, 240_000, "100 %"), (0, 0, "100 %")],
)
def test_100_percent_means_all(done: int, total: int, text: str) -> None:
    bar = ProgressBar()
    bar.add_task("batch 1", total=total, completed=done, details="")
    assert PercentColumn().render(bar.tasks[0]).plain == text

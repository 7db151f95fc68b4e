"""The progress bar."""

import pytest

from cli.progress.bar import PercentColumn, ProgressBar


@pytest.mark.parametrize(
    ("done", "total", "text"),
    [(0, 10, "  0 %"), (239_900, 240_000, " 99 %"), (240_000, 240_000, "100 %"), (0, 0, "100 %")],
)
def test_100_percent_means_all(done: int, total: int, text: str) -> None:
    bar = ProgressBar()
    bar.add_task("batch 1", total=total, completed=done, details="")
    assert PercentColumn().render(bar.tasks[0]).plain == text

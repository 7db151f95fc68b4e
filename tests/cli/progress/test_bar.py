import pytest

from cli.progress.bar import Bar, Share


@pytest.mark.parametrize(
    ("done", "total", "told"),
    [(0, 10, "  0 %"), (239_900, 240_000, " 99 %"), (240_000, 240_000, "100 %"), (0, 0, "100 %")],
)
def test_a_hundred_percent_are_all(done: int, total: int, told: str) -> None:
    bar = Bar()
    bar.add_task("batch 1", total=total, completed=done, told="")
    assert Share().render(bar.tasks[0]).plain == told

"""A progress bar on a terminal, with further lines below it."""

import sys
from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from cli.formatting import percent
from cli.streams import Colour, console, visible


class PercentColumn(ProgressColumn):
    """The share done in percent, rounded down, so that 100 % means all."""

    def render(self, task: Task) -> Text:
        """Return the share in a fixed width."""
        return Text(f"{percent(task.completed, int(task.total or 0)):>5}")


class ProgressBar(Progress):
    """A bar of answered puzzles; set `lines` to show text below it."""

    def __init__(self) -> None:
        self.lines: Sequence[str] = ()
        super().__init__(
            TextColumn("{task.description}"),
            # The style of rich's own is red.
            BarColumn(bar_width=None, complete_style=f"color({Colour.BLUE:d})"),
            PercentColumn(),
            TextColumn("{task.fields[details]}"),
            console=console(sys.stderr),
            transient=True,
            expand=True,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """Yield the bar, then the lines, cut at the terminal's edge."""
        yield from super().get_renderables()
        if self.lines:
            yield Text(visible("\n".join(self.lines)), no_wrap=True, overflow="ellipsis")

"""A bar on a terminal, with lines under it."""

import sys
from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
from rich.text import Text

from cli.screen import console


class Bar(Progress):
    """How much of a batch is answered; `lines` stand under it."""

    def __init__(self) -> None:
        self.lines: Sequence[str] = ()
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[told]}"),
            console=console(sys.stderr),
            transient=True,
            expand=True,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """The bar, and the lines cut at the terminal's edge."""
        yield from super().get_renderables()
        if self.lines:
            yield Text("\n".join(self.lines), no_wrap=True, overflow="ellipsis")

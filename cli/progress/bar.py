"""A bar on a terminal, with lines under it."""

import sys
from collections.abc import Iterable, Sequence

from rich.console import RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from cli.formatting import console


class Share(ProgressColumn):
    """In percent, rounded down, so that 100 % means all."""

    def render(self, task: Task) -> Text:
        """Four places wide, that nothing beside it moves."""
        share = 100 * task.completed // task.total if task.total else 100
        return Text(f"{share:3.0f} %")


class Bar(Progress):
    """How much of a batch is answered; `lines` stand under it."""

    def __init__(self) -> None:
        self.lines: Sequence[str] = ()
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            Share(),
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

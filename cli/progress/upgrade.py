"""Shows on stderr that the tables of an earlier release are upgraded: a bar, or one line."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from cli.streams import is_terminal
from cli.terminal import notify
from storage.values import UpgradeProgress

TEXT = "upgrading the database"


@contextmanager
def upgrade_display() -> Iterator[UpgradeProgress]:
    """Yield a function that shows how much of an upgrade is done.

    The bar disappears when all is done, or at the end of the block.
    """
    with ExitStack() as stack:
        shown: list[UpgradeProgress] = []

        def show(done: int, steps: int) -> None:
            if not shown:
                shown.append(_begin(stack, steps))
            shown[0](done, steps)

        yield show


def _begin(stack: ExitStack, steps: int) -> UpgradeProgress:
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        notify(TEXT)
        return lambda _done, _steps: None
    from cli.progress.bar import ProgressBar

    bar = stack.enter_context(ProgressBar())
    task = bar.add_task(TEXT, total=steps, details="")

    def draw(done: int, steps: int) -> None:
        bar.update(task, completed=done)
        if done == steps:
            stack.close()  # the batch that follows has a bar of its own

    return draw

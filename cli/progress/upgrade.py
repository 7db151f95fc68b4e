"""Shows on stderr that the tables of an earlier release are upgraded: a bar, or one line."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from cli.terminal import is_terminal, notify
from storage.values import UpgradeProgress

TEXT = "upgrading the database"


@contextmanager
def upgrade_display() -> Iterator[UpgradeProgress]:
    """Yield a function that shows how many puzzles an upgrade has read.

    The bar disappears when all are read, or at the end of the block.
    """
    with ExitStack() as stack:
        shown: list[UpgradeProgress] = []

        def show(read: int, puzzles: int) -> None:
            if not shown:
                shown.append(_begin(stack, puzzles))
            shown[0](read, puzzles)

        yield show


def _begin(stack: ExitStack, puzzles: int) -> UpgradeProgress:
    if not is_terminal(sys.stderr) or os.environ.get("TERM") == "dumb":
        notify(f"{TEXT}, with {puzzles:,} puzzles")
        return lambda _read, _puzzles: None
    from cli.progress.bar import ProgressBar

    bar = stack.enter_context(ProgressBar())
    task = bar.add_task(TEXT, total=puzzles, details="")

    def draw(read: int, puzzles: int) -> None:
        bar.update(task, completed=read, details=f"{read:,} / {puzzles:,}")
        if read == puzzles:
            stack.close()  # the batch that follows has a bar of its own

    return draw

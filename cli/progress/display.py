"""How far a batch is, on stderr: a bar on a terminal, else plain lines every 30 seconds."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cli.formatting import count, duration, notify
from cli.output.destination import is_terminal
from cli.progress.rate import Rate, per_second

if TYPE_CHECKING:
    from rich.progress import TaskID
    from sqlalchemy import Engine

    from cli.progress.bar import Bar
    from storage.batches import Batch
    from storage.queries.progress import Progress

#: seconds between two looks of a person, and of a log
LOOK = 0.25
LINE = 30.0


class ProgressDisplay:
    """Tells how far a batch is; call `look` as often as you like, it takes its time itself."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.seen: Progress | None = None  #: the last that was looked at
        self._clock = clock
        self._speed = Rate()
        self._draws = is_terminal(sys.stderr) and os.environ.get("TERM") != "dumb"
        self._bar: Bar | None = None
        self._task: TaskID
        self._next_line = clock() + LINE
        self._next_look = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def watch(self, engine: "Engine", batch: "Batch") -> None:
        """Look into the database if it is time to."""
        from storage.database import read
        from storage.queries.progress import read_progress

        if self._clock() >= self._next_look:
            with read(engine) as connection:
                self.look(read_progress(connection, batch.id))

    def look(self, progress: "Progress", lines: Sequence[str] = ()) -> None:
        """Tell how far it is, and these lines under it."""
        self.seen = progress
        now = self._clock()
        self._next_look = now + LOOK
        speed = self._speed.at(now, progress.answered)
        if self._draws:
            self._draw(progress, speed, lines)
        elif now >= self._next_line:
            self._next_line = now + LINE
            notify("\n".join([line(progress, speed), *lines]))

    def _draw(self, progress: "Progress", speed: float | None, lines: Sequence[str]) -> None:
        told = _told(progress, speed)
        if self._bar is None:
            from cli.progress.bar import Bar

            self._bar = Bar()
            self._task = self._bar.add_task(
                f"batch {progress.batch.id}", total=progress.batch.puzzles, told=told
            )
            self._bar.start()
        self._bar.lines = lines
        self._bar.update(self._task, completed=progress.answered, told=told)


def line(progress: "Progress", speed: float | None) -> str:
    """How far it is, in a line for a log."""
    total = progress.batch.puzzles
    percent = 100 * progress.answered // total if total else 100
    return f"batch {progress.batch.id}: {percent} %, {_told(progress, speed)}"


def _told(progress: "Progress", speed: float | None) -> str:
    total = progress.batch.puzzles
    parts = [f"{count(progress.answered)} / {count(total)}"]
    if speed:
        parts.append(per_second(speed))
        parts.append(f"{duration((total - progress.answered) / speed)} left")
    return ", ".join(parts)

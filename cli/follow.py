"""How far a batch is, on stderr: a bar on a terminal, else a plain line every 30 seconds."""

import sys
import time
from collections import deque
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from cli.output import is_terminal
from cli.screen import count, duration, say

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID
    from sqlalchemy import Engine

    from storage.batches import Batch
    from storage.queries import Progress

#: seconds between two looks of a person, and of a log
LOOK = 0.25
LINE = 30.0
#: seconds over which the speed is measured
WINDOW = 10.0


class Speed:
    """Answers a second, over the last few seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def at(self, now: float, answered: int) -> float | None:
        """The speed, once there were two looks with answers in between."""
        self._seen.append((now, answered))
        while len(self._seen) > 2 and now - self._seen[1][0] > WINDOW:
            self._seen.popleft()
        then, before = self._seen[0]
        return (answered - before) / (now - then) if answered > before and now > then else None


class Follower:
    """Tells how far a batch is; call `look` as often as you like, it takes its time itself."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.seen: Progress | None = None  #: the last that was looked at
        self._clock = clock
        self._speed = Speed()
        self._terminal = is_terminal(sys.stderr)
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
        from storage import queries
        from storage.database import read

        if self._clock() >= self._next_look:
            with read(engine) as connection:
                self.look(queries.progress(connection, batch.id))

    def look(self, progress: "Progress") -> None:
        """Tell how far it is."""
        self.seen = progress
        now = self._clock()
        self._next_look = now + LOOK
        speed = self._speed.at(now, progress.answered)
        if self._terminal:
            self._draw(progress, speed)
        elif now >= self._next_line:
            self._next_line = now + LINE
            say(line(progress, speed))

    def _draw(self, progress: "Progress", speed: float | None) -> None:
        told = _told(progress, speed)
        if self._bar is None:
            self._bar = _bar()
            self._task = self._bar.add_task(
                f"batch {progress.batch.id}", total=progress.batch.puzzles, told=told
            )
            self._bar.start()
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
        parts.append(f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s")
        parts.append(f"{duration((total - progress.answered) / speed)} left")
    return ", ".join(parts)


def _bar() -> "Bar":
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    from cli.screen import console

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[told]}"),
        console=console(sys.stderr),
        transient=True,
        expand=True,
    )

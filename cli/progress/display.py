"""Shows progress on stderr: a bar on a terminal, else a line every 30 seconds.

Rate and time left are smoothed, because answers arrive in whole chunks.
"""

import sys
import time
from collections.abc import Callable, Sequence
from math import exp
from typing import TYPE_CHECKING, Self

from sqlalchemy import Engine

from cli.formatting import count, duration, percent
from cli.progress.searches import SearchProcesses, SearchTimes, left_text, of_batch, search_lines
from cli.streams import can_draw, notify, terminal_columns
from storage.batches import Batch
from storage.database import read
from storage.queries.progress import QUERY_SECONDS, Progress, read_progress
from worker.estimate.ranges import Range

if TYPE_CHECKING:  # rich is loaded when a bar is drawn
    from rich.progress import TaskID

    from cli.progress.bar import ProgressBar

#: seconds after which an answer counts for 1/e of a new one in the rate, and the same as a multiple
#: of the mean time between two arrivals: the answers of hard puzzles are minutes apart
RATE_SECONDS = 30.0
RATE_GAPS = 8.0
#: seconds that must be measured before a rate is known: a chunk may have thousands of puzzles
MIN_SECONDS = 3.0
#: seconds in which the expected end moves half of the way to a new estimate, and the same as a
#: share of the time left, which must reach 0 with the batch
END_SECONDS = 10.0
END_SHARE = 1 / 3
#: seconds between two lines of a log
LOG_SECONDS = 30.0


class Rate:
    """Measures answers per second, as an average in which recent seconds count most.

    The time before the first answers is not measured: the batch may have waited in the queue.
    """

    def __init__(self) -> None:
        self._last: tuple[float, int] | None = None
        self._measured = 0.0
        self._arrivals = 0  # samples with new answers
        self._seconds = self._answers = 0.0  # the sums of the average

    def update(self, now: float, answered: int) -> float | None:
        """Add a sample (seconds, answers so far); return the rate, None while it is unknown."""
        if self._last is not None and self._last[1]:
            passed = now - self._last[0]
            self._measured += passed
            self._arrivals += answered > self._last[1]
            gap = self._measured / (self._arrivals + 1)
            weight = exp(-passed / max(RATE_SECONDS, RATE_GAPS * gap))
            self._seconds = self._seconds * weight + passed
            # `retry` deletes answers, so there may be fewer than before.
            self._answers = self._answers * weight + max(0, answered - self._last[1])
        self._last = now, answered
        if self._measured < MIN_SECONDS or not self._answers:
            return None
        return self._answers / self._seconds


class TimeLeft:
    """Estimates the time until a batch is complete.

    The expected end is smoothed rather than the time left, which passes meanwhile.
    """

    def __init__(self) -> None:
        self._began: float | None = None
        self._now = self._end = 0.0

    def update(self, now: float, unanswered: int, rate: float) -> float:
        """Return the seconds left, given the answers per second."""
        left = unanswered / rate
        if self._began is None:
            self._began, self._now, self._end = now, now, now + left
        passed, measured = now - self._now, now - self._began
        pause = min(END_SECONDS, END_SHARE * left, measured)
        share = passed / (passed + pause) if passed else 0.0
        self._end += share * (now + left - self._end)
        self._now = now
        return max(0.0, self._end - now)


def per_second(rate: float) -> str:
    """Return a rate as text.

    >>> per_second(11840.3), per_second(9.87)
    ('11,840/s', '9.9/s')
    """
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"


class ProgressDisplay:
    """A bar or log lines; call `poll` or `update` at any rate."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.last: Progress | None = None  #: the progress that was shown last
        self._clock = clock
        self._rate = Rate()
        self._time_left = TimeLeft()
        self._search_times = SearchTimes()
        self._processes = SearchProcesses()
        self._draws = can_draw(sys.stderr)
        self._bar: ProgressBar | None = None
        self._task: TaskID
        self._next_line = clock() + LOG_SECONDS
        self._next_query = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def poll(self, engine: Engine, batch: Batch) -> None:
        """Query the batch's progress and show it, if QUERY_SECONDS have passed.

        The first call only queries: small batches are answered before the second query.
        """
        if self._clock() < self._next_query:
            return
        with read(engine) as connection:
            progress = read_progress(connection, batch.id)
        if self.last is None:
            self.last, self._next_query = progress, self._clock() + QUERY_SECONDS
        else:
            self.update(progress)

    def update(self, progress: Progress, lines: Sequence[str] = ()) -> None:
        """Show this progress, with its searches and `lines` below it."""
        self.last = progress
        now = self._clock()
        self._next_query = now + QUERY_SECONDS
        times = self._search_times.update(now, progress)
        progress = self._processes.update(now, progress)
        pace = self._pace(now, progress, of_batch(progress, times))
        answered = f"{count(progress.answered)} / {count(progress.batch.puzzles)}"
        details = f"{answered}, {pace}" if pace else answered
        columns = terminal_columns(sys.stderr) if self._draws else None
        lines = [*search_lines(progress, times, columns), *lines]
        if self._draws:
            self._draw(progress, details, lines)
        elif now >= self._next_line:
            self._next_line = now + LOG_SECONDS
            share = percent(progress.done, progress.batch.puzzles)
            notify("\n".join([f"batch {progress.batch.id}: {share}, {details}", *lines]))

    def _pace(self, now: float, progress: Progress, searches_left: Range | None) -> str:
        """Return the rate and the time left as text; empty while they are unknown."""
        if progress.batch.paused:
            self._rate, self._time_left = Rate(), TimeLeft()
            return "paused"
        if searches_left:
            return left_text(searches_left, progress.batch.options)
        rate = self._rate.update(now, progress.answered)
        if rate is None:
            return ""
        unanswered = progress.batch.puzzles - progress.answered
        left = self._time_left.update(now, unanswered, rate)
        return f"{per_second(rate)}, {duration(left)} left"

    def _draw(self, progress: Progress, details: str, lines: Sequence[str]) -> None:
        if self._bar is None:
            from cli.progress.bar import ProgressBar

            self._bar = ProgressBar()
            self._task = self._bar.add_task(
                f"batch {progress.batch.id}", total=progress.batch.puzzles, details=details
            )
            self._bar.start()
        self._bar.lines = lines
        self._bar.update(self._task, completed=progress.done, details=details)

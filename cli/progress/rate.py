"""Answers per second, and the time left: smoothed, because answers arrive in whole chunks."""

from math import exp

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

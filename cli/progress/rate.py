"""Answers per second, measured over the last seconds."""

from collections import deque

#: seconds over which the rate is measured
WINDOW_SECONDS = 10.0


class Rate:
    """Measures answers per second over a sliding window."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def update(self, now: float, answered: int) -> float | None:
        """Add a sample (seconds, answers so far); return the rate, None while it is unknown."""
        self._samples.append((now, answered))
        while len(self._samples) > 2 and now - self._samples[1][0] > WINDOW_SECONDS:
            self._samples.popleft()
        then, before = self._samples[0]
        return (answered - before) / (now - then) if answered > before and now > then else None


def per_second(rate: float) -> str:
    """Return a rate as text.

    >>> per_second(11840.3), per_second(9.87)
    ('11,840/s', '9.9/s')
    """
    return f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"

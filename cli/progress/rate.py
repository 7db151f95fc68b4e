"""How many answers a second."""

from collections import deque

#: seconds over which the speed is measured
WINDOW = 10.0


class Rate:
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


def per_second(speed: float) -> str:
    """A speed as people read it.

    >>> per_second(11840.3), per_second(9.87)
    ('11,840/s', '9.9/s')
    """
    return f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s"

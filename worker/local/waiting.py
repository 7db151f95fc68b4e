"""Reports why the processes of a backend wait."""

from collections.abc import Callable

from worker.queue.notices import NoticeReader


class WaitReport:
    """Calls `notify` once with each reason that arrives through a pipe."""

    def __init__(self, descriptor: int, notify: Callable[[str], None]) -> None:
        self._reader = NoticeReader(descriptor)
        self._notify = notify
        self._known: set[str] = set()

    def update(self) -> None:
        """Report the reasons that have arrived since the last call; does not block."""
        for reason in self._reader.read():
            if reason not in self._known:
                self._known.add(reason)
                self._notify(f"waiting: {reason}")

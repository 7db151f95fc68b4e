"""Signals that end a command in order: what it has begun is cancelled first."""

import signal
import sys

#: the names of the signals; Windows has no SIGHUP
NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Signals:
    """The signals that end this command: SIGINT raises KeyboardInterrupt, the others SystemExit."""

    def __init__(self) -> None:
        self._raised: BaseException | None = None
        self._report = sys.unraisablehook
        sys.unraisablehook = self._leave_out
        for name in NAMES:
            if hasattr(signal, name):
                signal.signal(getattr(signal, name), self._end)

    def check(self) -> None:
        """Raise the exception of a signal again; call it several times a second.

        Python drops an exception that is raised in a callback of its garbage collection, where a
        signal may arrive: SQLAlchemy has one that runs after every transaction.
        """
        if self._raised is not None:
            raise self._raised

    def _leave_out(self, dropped: "sys.UnraisableHookArgs") -> None:
        """Report an exception that Python drops, unless `check` raises it again."""
        if dropped.exc_value is not self._raised:
            self._report(dropped)

    def _end(self, number: int, _frame: object) -> None:
        interrupted = number == signal.SIGINT
        self._raised = KeyboardInterrupt() if interrupted else SystemExit(128 + number)
        raise self._raised

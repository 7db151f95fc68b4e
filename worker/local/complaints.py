"""What a private worker waits for, told to whoever waits for the worker."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

#: stands before what `queue.patience` writes into the log of a worker; see LOG_FORMAT in `app`
SIGN = "WARNING worker.queue.backoff: "


@dataclass(slots=True)
class Complaints:
    """The new lines of one log, each reason told once."""

    log: Path
    tell: Callable[[str], None]
    _read: int = 0
    _told: set[str] = field(default_factory=set)

    def look(self) -> None:
        """Tell what came since the last look."""
        if self.log.stat().st_size == self._read:
            return
        with self.log.open("rb") as log:
            log.seek(self._read)
            for line in log:
                if line.endswith(b"\n"):  # the rest of the last one may be on its way
                    self._read += len(line)
                    self._hear(line.decode(errors="replace"))

    def _hear(self, line: str) -> None:
        _, sign, said = line.partition(SIGN)
        reason = said.rpartition("; retrying")[0]
        if sign and reason not in self._told:
            self._told.add(reason)
            self.tell(f"waiting: {reason}")

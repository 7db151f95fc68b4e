"""What was measured: one figure for each command, query or property of the database."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Took(NamedTuple):
    """What something took."""

    seconds: float  #: wall-clock time
    cpu: float  #: seconds of CPU, without those of a database server

    def plus(self, other: "Took") -> "Took":
        """Return the sum of both."""
        return Took(self.seconds + other.seconds, self.cpu + other.cpu)


@contextmanager
def timed() -> Iterator[list[Took]]:
    """Measure a block of this process; the list has what it took when it has ended."""
    took: list[Took] = []
    began, cpu = time.perf_counter(), time.process_time()
    yield took
    took.append(Took(time.perf_counter() - began, time.process_time() - cpu))


class Figure(NamedTuple):
    """What was measured under a name."""

    name: str
    took: Took | None = None
    rows: float = 0  #: if not 0, the times are also given for each of so many
    bytes: float = 0  #: for each answer

    def line(self) -> str:
        """Return the figure as a line of a Markdown table."""
        if self.took is None:
            return f"| {self.name} | | | {self.bytes:.0f} bytes |"
        each = f"{1e6 * self.took.cpu / self.rows:.2f} us" if self.rows else ""
        return f"| {self.name} | {self.took.cpu:.3f} | {self.took.seconds:.3f} | {each} |"

    def record(self, database: str, answers: int) -> dict[str, object]:
        """Return the figure as JSON values, with the kind of database and its number of answers."""
        seconds, cpu = self.took or (None, None)
        return {
            **{"database": database, "answers": answers, "name": self.name},
            **{"seconds": seconds, "cpu": cpu, "rows": self.rows, "bytes": self.bytes},
        }

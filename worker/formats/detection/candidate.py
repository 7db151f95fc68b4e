"""A format that can read the beginning of an input."""

from collections.abc import Callable
from typing import NamedTuple

from worker.formats.detection.sample import Sample
from worker.formats.errors import FormatError
from worker.formats.readers.reading import Reading


class Candidate(NamedTuple):
    """A way to read the input, and the number of lines that support it."""

    reading: Reading
    lines: int  #: number of lines of the sample that it can read
    doubt: FormatError | None = None  #: the reason to reject the input unless --from is given


#: counts the lines of a sample that a format can read
Match = Callable[[Sample], Candidate | None]

"""A format that can read the beginning of an input."""

from typing import NamedTuple

from worker.formats.errors import FormatError
from worker.formats.readers.reading import Reading


class Candidate(NamedTuple):
    """A way to read the input, and the number of lines that support it."""

    reading: Reading
    lines: int  #: number of lines of the sample that it can read
    doubt: FormatError | None = None  #: the reason to reject the input unless --from is given

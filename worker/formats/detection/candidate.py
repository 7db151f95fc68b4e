"""A format that can read the beginning of an input."""

from typing import NamedTuple

from worker.formats.errors import FormatError
from worker.formats.readers.reading import Reading


class Candidate(NamedTuple):
    """A way to read the input, and how well it matches."""

    reading: Reading
    lines: int  #: how many lines of the sample it can read
    doubt: FormatError | None = None  #: why the input must be rejected unless --from asks for it

"""The error for an invalid line and the limit on size, for all readers of exact covers."""

from collections.abc import Iterable, Iterator

from worker.covers.text import MAX_CHARACTERS, EncodedOptions
from worker.formats.errors import FormatError
from worker.formats.files.text import Line


class InvalidLineError(Exception):
    """A line is not part of a cover problem; the message gives its number and the reason."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(f"line {line}: {why}")


def bounded(source: Iterable[Line], name: str) -> Iterator[Line]:
    """Yield the lines of one problem; raise FormatError if they exceed MAX_CHARACTERS in total."""
    characters = 0
    for line in source:
        characters += len(line.text)
        if characters > MAX_CHARACTERS:
            raise _too_large(name, line.number)
        yield line


def check_size(options: EncodedOptions, name: str, line: int) -> None:
    """Raise FormatError if the text of the options exceeds MAX_CHARACTERS.

    It can be longer than the lines: a 1 in column 30000 of a matrix becomes `30000`.
    """
    if options.characters > MAX_CHARACTERS:
        raise _too_large(name, line)


def _too_large(name: str, line: int) -> FormatError:
    what = f"a cover problem of more than {MAX_CHARACTERS:,} characters"
    return FormatError(name, what, line=line, remedy="split the problem")

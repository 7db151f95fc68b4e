"""The error for an input as a whole (one puzzle's is an `Entry`), and what messages quote of it."""

from collections.abc import Iterator
from contextlib import contextmanager

from storage.values import printable
from worker.errors import PuzzleError

#: greatest number of characters of an input line in a message
MAX_EXCERPT = 200
#: greatest number of characters of an input in quotes, inside a sentence
MAX_QUOTE = 40
#: greatest number of characters in a puzzle's label
MAX_LABEL = 100


class FormatError(PuzzleError):
    """An input cannot be read, or its format is unknown or ambiguous.

    `str()` is one sentence: the place, what is wrong, and what to do about it.
    """

    def __init__(self, problem: str, *, line: int | None = None, remedy: str | None = None) -> None:
        super().__init__(problem)
        self.name = ""  #: of the input; set by `naming`
        self.problem = problem
        self.line = line
        self.remedy = remedy

    def __str__(self) -> str:
        where = "standard input" if self.name == "-" else self.name
        if self.line is not None:
            where += f" line {self.line}"
        remedy = f"; {self.remedy}" if self.remedy else ""
        return f"{where}: {self.problem}{remedy}"


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Name the input in a FormatError of the block; an error of the system becomes one."""
    try:
        yield
    except FormatError as error:
        error.name = error.name or name
        raise
    except OSError as error:
        failed = FormatError(f"cannot be read ({error.strerror or error})")
        failed.name = name
        raise failed from error


def excerpt(text: str, length: int = MAX_EXCERPT) -> str:
    """Return the first `length` characters of `text`, made printable."""
    return printable(text[:length])


def quoted(text: str) -> str:
    """Return the beginning of `text` in backquotes, for the middle of a sentence."""
    return f"`{excerpt(text, MAX_QUOTE)}`"


def label(text: str) -> str | None:
    """Return `text` as a label: printable, at most MAX_LABEL characters; None if it is empty."""
    return excerpt(text, MAX_LABEL) or None


def quantity(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun, for messages.

    >>> quantity(1, "cell"), quantity(80, "cell"), quantity(2, "entry", "entries")
    ('1 cell', '80 cells', '2 entries')
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"

"""Makes text of an input fit to print and to store."""

from storage.values import printable

#: greatest number of characters of an input line in a message
MAX_EXCERPT = 200
#: greatest number of characters of an input in quotes, inside a sentence
MAX_QUOTE = 40
#: greatest number of characters in a puzzle's label
MAX_LABEL = 100


def excerpt(text: str, length: int = MAX_EXCERPT) -> str:
    """Return the first `length` characters of `text`, made printable."""
    return printable(text[:length])


def label(text: str) -> str | None:
    """Return `text` as a label: printable, at most MAX_LABEL characters; None if it is empty."""
    return excerpt(text, MAX_LABEL) or None


def quantity(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun, for messages.

    >>> quantity(1, "cell"), quantity(80, "cell"), quantity(2, "entry", "entries")
    ('1 cell', '80 cells', '2 entries')
    """
    return f"{number} {singular if number == 1 else plural or singular + 's'}"

"""Text of an input made fit to print and to store."""

#: characters of an input line that are kept for a message
MAX_EXCERPT = 200
#: characters of a puzzle's label
MAX_LABEL = 100


def excerpt(text: str, length: int = MAX_EXCERPT) -> str:
    """The first `length` characters of `text`, each control character replaced by U+FFFD."""
    start = text[:length]
    if start.isprintable():
        return start
    return "".join(c if c.isprintable() else "\ufffd" for c in start)


def label(text: str) -> str | None:
    """`text` as a puzzle's label: printable and at most MAX_LABEL characters; None if empty."""
    return excerpt(text, MAX_LABEL) or None

"""On PostgreSQL: what the words of a person's condition name, before it is asked.

SQLite has an authorizer for this.  PostgreSQL has rights, and those of Bullseye's user may reach
far: a superuser's query reads the server's files and everybody's passwords.  So a condition may
name no table but the view, and no function that does more than compute.
"""

import re

from sqlalchemy import Connection, text

from storage.tables import COLUMNS

_LITERAL = re.compile(r"'(?:[^']|'')*'")
#: where a quote may not be what it looks like
_TRICKS = re.compile(r"\\|\$|/\*|--")
#: it spells words in other letters
_SPELT = "U&"
_WORD = re.compile(r"\w+")

#: a volatile function may do anything; those on XML read whole tables
_ACTS = """
SELECT proname FROM pg_proc
WHERE proname = ANY(:words) AND (provolatile = 'v' OR proname LIKE '%\\_to\\_xml%')
UNION SELECT relname FROM pg_class
WHERE relname = ANY(:words) AND relkind IN ('r', 'v', 'm', 'p', 'f', 'S')
ORDER BY 1 LIMIT 1
"""


def forbidden(connection: Connection, condition: str) -> str | None:
    """A word that a condition must not hold; None if there is none."""
    if connection.dialect.name != "postgresql":
        return None
    if _SPELT in condition.upper():
        return _SPELT
    known = sorted(words(condition) - {*COLUMNS, "answers"})
    return connection.execute(text(_ACTS), {"words": known}).scalar()


def words(condition: str) -> set[str]:
    """All words, but not those of texts; where one could be mistaken for the other, those as well.

    >>> sorted(words("label = 'from Ann''s list' OR ms > 5"))
    ['5', 'label', 'ms', 'or']
    >>> sorted(words(r"label = E'\\\\' OR secret('')"))
    ['e', 'label', 'or', 'secret']
    """
    bare = condition if _TRICKS.search(condition) else _LITERAL.sub(" ", condition)
    return {word.lower() for word in _WORD.findall(bare)}

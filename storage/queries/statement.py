"""A whole query of the user, of which the guard checks what it reads."""

from sqlalchemy import Connection

from storage.archive.attach import attach
from storage.queries import guard
from storage.queries.guard import QUERY, Found, rejected


def run_query(
    connection: Connection, text: str, fetch_seconds: float = guard.FETCH_SECONDS
) -> Found:
    """Run one SELECT over the view `answers` and the tables; raise BadQuery if it is not one."""
    query = text.strip().removesuffix(";")
    if not query:
        raise rejected(QUERY, "is empty")
    if ";" in guard.bare(query):
        raise rejected(QUERY, "contains a semicolon before its end")
    if query != query.encode(errors="replace").decode():
        raise rejected(QUERY, "is not valid UTF-8 text")
    guard.check_words(connection, query, QUERY)
    attach(connection, solutions=True)
    return guard.execute(connection, query, QUERY, fetch_seconds)

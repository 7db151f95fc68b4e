"""Into how many parts a search is divided: enough for all processes, and no more than they need."""

from sqlalchemy import Connection

from storage.searches import waiting
from worker.queue.solving import policy


def wanted(
    connection: Connection, batch_id: int, processes: int, search_id: int | None = None
) -> int:
    """Return into how many parts the rest of a search, or of one of its parts, is to be divided.

    `search_id` is the search's, unless it is being divided for the first time.
    """
    enough = policy.ENOUGH_WAITING * processes
    if waiting.chunks(connection, batch_id, enough) >= enough:
        return 1
    there = 0 if search_id is None else waiting.open_parts(connection, search_id)
    return policy.pieces(processes, there)

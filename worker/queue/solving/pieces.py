"""Into how many parts a search is divided: enough for all processes, and no more than they need."""

from sqlalchemy import Connection

from storage.searches import waiting

#: parts of a search per process of the queue: with fewer, some process often waits for one
PARTS_PER_PROCESS = 30
#: the largest number of parts that one turn makes, so that its transaction is short
MAX_PIECES = 100
#: chunks of the batch that wait, per process, from which on no further parts are needed
ENOUGH_WAITING = 2


def wanted(
    connection: Connection, batch_id: int, processes: int, search_id: int | None = None
) -> int:
    """Return into how many parts the rest of a search, or of one of its parts, is to be divided.

    `search_id` is the search's, unless it is being divided for the first time.
    """
    enough = ENOUGH_WAITING * processes
    if waiting.chunks(connection, batch_id, enough) >= enough:
        return 1
    there = 0 if search_id is None else waiting.open_parts(connection, search_id)
    return min(max(1, PARTS_PER_PROCESS * processes - there), MAX_PIECES)

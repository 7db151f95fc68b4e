"""Into how many parts a search is divided, enough for all processes; how long a turn of one lasts.

The numbers were varied in simulations of searches on 10 to 1,000 processes: see
`docs/benchmarks.md`.
"""

from sqlalchemy import Connection

from storage.outbox import stride
from storage.searches import totals

#: parts of a search per process.  Simulated searches on 100 processes took the same time with 2 to
#: 30, because no more are made while ENOUGH_WAITING wait
PARTS_PER_PROCESS = 30
#: the largest number of parts that one turn makes, so that its transaction is short; simulated
#: searches took the same time with 10 to 300
MAX_PIECES = 100
#: chunks of the batch that wait, per process, from which on no further parts are needed
ENOUGH_WAITING = 2
#: the budget of a search, in seconds, while processes are free that could search its parts
FREE_BUDGET_SECONDS = 0.25
#: the length of a turn, in seconds, while there are fewer parts than processes: each round of a
#: search for the best score begins with one part
FREE_TURN_SECONDS = 0.1
#: transactions of one turn: its part is leased, its result is stored, the next part is published
TRANSACTIONS_PER_TURN = 3
#: transactions per second of all processes together, by the kind of database.  In PostgreSQL a turn
#: locks the row of its search for about 4 ms, and a millisecond more across a network: with 300 per
#: second, 1,000 simulated processes searched for 85 % of their time, with 150 for 90 %, with 75 for
#: 91 %, but the last of them were free for twice as long
TRANSACTIONS_PER_SECOND = {"sqlite": 50, "postgresql": 150}


def wanted(
    connection: Connection, batch_id: int, processes: int, search_id: int | None = None
) -> int:
    """Return into how many parts the rest of a search, or of one of its parts, is to be divided.

    `search_id` is the search's, unless it is being divided for the first time.
    """
    enough = ENOUGH_WAITING * processes
    if stride.new_chunks(connection, batch_id, enough) >= enough:
        return 1
    there = 0 if search_id is None else totals.open_parts(connection, search_id)
    return pieces(processes, there)


def pieces(processes: int, open_parts: int) -> int:
    """Return into how many parts to divide what a turn has left of a part.

    >>> pieces(processes=8, open_parts=230), pieces(processes=8, open_parts=250)
    (10, 1)
    """
    return min(max(1, PARTS_PER_PROCESS * processes - open_parts), MAX_PIECES)


def budget(usual: float, processes: int, waiting: int) -> float:
    """Return the seconds after which a search is divided, if `waiting` chunks wait for processes.

    >>> budget(2.0, processes=2, waiting=1), budget(2.0, processes=2, waiting=0)
    (2.0, 0.25)
    """
    return min(usual, FREE_BUDGET_SECONDS) if 1 + waiting < processes else usual


def turn_seconds(usual: float, processes: int, open_parts: int, database: str) -> float:
    """Return how long a turn lasts, so that those of all processes do not overload the database.

    While there are fewer parts than processes, turns are shorter, because each may bring parts for
    processes that have none.

    >>> turn_seconds(1.0, 8, 30, "sqlite"), turn_seconds(1.0, 500, 2500, "postgresql")
    (1.0, 10.0)
    >>> turn_seconds(1.0, 8, 1, "sqlite")
    0.1
    """
    turns_per_second = TRANSACTIONS_PER_SECOND[database] / TRANSACTIONS_PER_TURN
    wanted = usual if open_parts >= processes else min(usual, FREE_TURN_SECONDS)
    return max(wanted, min(processes, open_parts) / turns_per_second)

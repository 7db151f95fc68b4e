"""How far away the servers of a worker are, and how many processes keep its cores busy then.

A process waits for about ten round trips in each chunk, which takes it 0.2 to 0.5 s otherwise.
"""

import time
from collections.abc import Callable
from contextlib import closing

from sqlalchemy import Engine

from storage.database import read
from worker.queue.carrier import Carrier

#: seconds of a round trip for which each core gets another process; and the most that it gets
EACH_SECONDS, MOST = 0.010, 4
#: round trips that are measured; the shortest counts
MEASURED = 5


def processes_for(cores: int, round_trip: float) -> int:
    """Return how many processes keep so many cores busy; `round_trip` is in seconds."""
    return cores * min(MOST, 1 + round(round_trip / EACH_SECONDS))


def round_trip(redis_url: str, engine: Engine) -> float:
    """Return the seconds of a round trip, on average of one to Redis and one to the database."""
    with closing(Carrier.connect(redis_url, "")) as carrier, read(engine) as connection:
        seconds = _shortest(carrier.ping), _shortest(lambda: connection.exec_driver_sql("SELECT 1"))
    return sum(seconds) / len(seconds)


def _shortest(call: Callable[[], object]) -> float:
    times = []
    for _ in range(MEASURED):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)

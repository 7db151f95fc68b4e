"""How long the transactions of a search take, measured on a real database."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

from sqlalchemy import Engine, text

from storage.database import read, write
from storage.outbox import publishing
from storage.outbox.publishing import Chunk
from storage.values import Found, PartRow
from tests.storage.harness import QUEUE, ROOM
from tests.storage.searching.harness import SearchHarness
from worker.tasks import MAX_PUBLISHED_CHUNKS

#: levels of the parts that are stored, which decide how long their texts are
LEVELS = 24
#: repetitions of each transaction
ROUNDS = 60
#: parts that a turn makes when the time for each of them is measured
PIECES = 50


class Costs(NamedTuple):
    """Seconds that transactions take, and bytes that parts take."""

    take: float  #: a part is leased
    end: float  #: a turn is stored, and its part goes on
    piece: float  #: the same: more for each further part that the turn makes
    publish: float  #: MAX_PUBLISHED_CHUNKS parts are claimed for sending
    shared: bool  #: every transaction excludes all others, not only those that end turns
    part_bytes: float  #: in the database, its indexes included


def measure(engine: Engine, parts: int) -> Costs:
    """Return what transactions cost on an empty database, in a search of so many open parts."""
    harness = SearchHarness(engine)
    before = _bytes(engine)
    harness.begin(_rows(parts), timeout=1e6)
    per_part = (_bytes(engine) - before) / parts
    take, end, divide, publish = (list[float]() for _ in range(4))
    sent = list[Chunk]()
    while len(end) < ROUNDS:
        if not sent:
            with _timed(publish), write(engine) as connection:
                sent = publishing.claim_new(connection, QUEUE, ROOM, most=MAX_PUBLISHED_CHUNKS)
        one = sent.pop()
        with _timed(take):
            taken = harness.must_take_part(one)
        with _timed(end):
            harness.end_turn(taken, Found(5, 10**6, 10**9), _rows(1))
        if sent:
            taken = harness.must_take_part(sent.pop())
            with _timed(divide):
                harness.end_turn(taken, Found(5, 10**6, 10**9), _rows(1 + PIECES))
    return Costs(
        take=median(take),
        end=median(end),
        piece=(median(divide) - median(end)) / PIECES,
        publish=median(publish),
        shared=engine.dialect.name == "sqlite",
        part_bytes=per_part,
    )


def _rows(parts: int) -> list[PartRow]:
    """Return parts with texts of usual length."""
    text = json.dumps([[100 + k, 3, 200 + k] for k in range(LEVELS)], separators=(",", ":"))
    return [(text, 1e-6, None)] * parts


@contextmanager
def _timed(seconds: list[float]) -> Iterator[None]:
    began = time.perf_counter()
    yield
    seconds.append(time.perf_counter() - began)


def _bytes(engine: Engine) -> int:
    """Return the size of the database."""
    if engine.dialect.name == "sqlite":
        size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    else:
        size = "SELECT pg_database_size(current_database())"
    with read(engine) as connection:
        return int(connection.execute(text(size)).scalar_one())

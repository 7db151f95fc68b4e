"""How long the transactions of a search take, measured with the code of a worker.

The turns are real but for the search itself, which takes no time; the times are those of one
process while no other uses the database.
"""

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from itertools import cycle, islice
from statistics import median
from typing import Any, NamedTuple

from sqlalchemy import Engine, event, text

from storage.database import read, write
from storage.outbox import publishing
from storage.outbox.publishing import Chunk
from storage.values import PartRow
from tests.storage.harness import QUEUE, ROOM
from tests.storage.searching.harness import SearchHarness
from worker.attempt import dividing
from worker.attempt.chunk import attempt
from worker.attempt.context import Context
from worker.exact_cover.parts.frontier import Frontier, Level, encode
from worker.outcome import Turn
from worker.settings import Settings
from worker.tasks import MAX_PUBLISHED_CHUNKS

#: what is left of each part, with a text of the usual length
LEFT = Frontier(tuple(Level(100 + k, 3, (200 + k, 300 + k)) for k in range(20)))
#: what is left of a part that can be divided into as many as a turn may make
WIDE = Frontier((Level(1, 200, (*range(200),)),))
#: turns of each kind
ROUNDS = 100
#: numbers of processes: for the first there are enough parts, for the second not
FEW, MANY = 1, 1_000_000


class Transaction(NamedTuple):
    """How long a transaction took, several times, and its statements."""

    seconds: tuple[float, ...]
    statements: int = 0  #: BEGIN and COMMIT included: each takes a round trip to the server


class Costs(NamedTuple):
    """Seconds that transactions take, and bytes that parts take."""

    take: Transaction  #: a part is leased
    go_on: Transaction  #: a turn is stored, and its part goes on
    end: Transaction  #: a turn is stored, and its part has ended
    publish: Transaction  #: MAX_PUBLISHED_CHUNKS parts are claimed for sending
    piece: float  #: seconds more for each further part that a turn makes
    held: float  #: share of the transactions that store turns in which the search's row is locked
    shared: bool  #: every transaction excludes all others, not only those that store turns
    part_bytes: float  #: in the database, its indexes included


def fixed(seconds: float, piece: float, *, shared: bool) -> Costs:
    """Return costs that are alike for all transactions, and locks that last as long as they do."""
    one = Transaction((seconds,))
    return Costs(one, one, one, one, piece, 1.0, shared, part_bytes=500)


class _Taken(NamedTuple):
    """One run of a transaction."""

    seconds: float
    statements: int


@dataclass
class _Stopwatch:
    """Runs transactions on a database, and notes how long they take."""

    engine: Engine
    taken: dict[str, list[_Taken]] = field(default_factory=dict)
    held: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._began = self._locked = 0.0
        self._statements = 0
        event.listen(self.engine, "after_cursor_execute", self._executed)

    def publish(self) -> list[Chunk]:
        self._begin()
        with write(self.engine) as connection:
            claimed = publishing.claim_new(connection, QUEUE, ROOM, most=MAX_PUBLISHED_CHUNKS)
        self._end("publish")
        return claimed

    def turn(self, one: Chunk, kind: str, left: Frontier | None, processes: int) -> None:
        """Take a turn of a part, which leaves this of it."""

        def search_part(*_: Any, **__: Any) -> Generator[Turn | None, bool | None]:
            self._end("take")
            self._begin()
            yield Turn(5, 10**6, 10**9, 10**9, (), left)

        settings = Settings(str(self.engine.url), queue=QUEUE)
        context = Context(self.engine, "ada", settings, lambda: processes, search_part=search_part)
        self._begin()
        assert attempt(context, one.id, one.puzzles)
        self._end(kind)
        seconds = self.taken[kind][-1].seconds
        self.held.append((self._began + seconds - self._locked) / seconds)

    def transaction(self, kind: str) -> Transaction:
        """Return what was noted of one kind."""
        taken = self.taken[kind]
        statements = round(median(one.statements for one in taken))
        return Transaction(tuple(one.seconds for one in taken), statements)

    def _begin(self) -> None:
        self._statements = 2
        self._began = time.perf_counter()

    def _end(self, kind: str) -> None:
        took = _Taken(time.perf_counter() - self._began, self._statements)
        self.taken.setdefault(kind, []).append(took)

    def _executed(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        self._statements += 1
        if "FROM search" in statement and "FOR NO KEY UPDATE" in statement:
            self._locked = time.perf_counter()


def measure(engine: Engine, parts: int) -> Costs:
    """Return what transactions cost on an empty database, in a search of so many open parts."""
    before = _bytes(engine)
    SearchHarness(engine).begin(_rows(parts), timeout=1e6)
    per_part = (_bytes(engine) - before) / parts
    watch, sent = _Stopwatch(engine), list[Chunk]()
    kinds = cycle([("go_on", LEFT, FEW), ("end", None, FEW), ("divide", WIDE, MANY)])
    for kind, left, processes in islice(kinds, 3 * ROUNDS):
        sent = sent or watch.publish()
        watch.turn(sent.pop(), kind, left, processes)
    take, go_on, end, publish, divide = map(
        watch.transaction, ("take", "go_on", "end", "publish", "divide")
    )
    more = median(divide.seconds) - median(go_on.seconds)
    shared = engine.dialect.name == "sqlite"
    return Costs(
        take,
        go_on,
        end,
        publish,
        piece=more / (dividing.MAX_PIECES - 1),
        held=1.0 if shared else median(watch.held),
        shared=shared,
        part_bytes=per_part,
    )


def _rows(parts: int) -> list[PartRow]:
    """Return parts with texts of usual length."""
    return [(encode(LEFT.levels), 1e-6, None, ())] * parts


def _bytes(engine: Engine) -> int:
    """Return the size of the database."""
    if engine.dialect.name == "sqlite":
        size = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    else:
        size = "SELECT pg_database_size(current_database())"
    with read(engine) as connection:
        return int(connection.execute(text(size)).scalar_one())

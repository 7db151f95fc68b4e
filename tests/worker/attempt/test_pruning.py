"""Two processes that search for the best score of one puzzle, in real time."""

import json
import multiprocessing
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from math import inf
from multiprocessing.queues import SimpleQueue
from random import Random
from typing import NamedTuple

from sqlalchemy import Engine

from storage.database import open_database
from storage.values import Kind
from tests.worker.attempt.crew import Crew, queens
from tests.worker.attempt.toy import Toy
from tests.worker.conftest import QUEUE
from worker.attempt.chunk import attempt
from worker.attempt.context import Context
from worker.options import Options
from worker.outcome import Incumbent, Known, SearchPart, Turn
from worker.queue.carrier import Carrier
from worker.settings import Settings
from worker.solve import search_part

#: seconds within which a score that one process finds is to prune the search of the other
PRUNED_SECONDS = 1.0
#: seconds for which the processes search if no score prunes so soon, because other tests delay it
SEARCH_SECONDS = 30.0


class Event(NamedTuple):
    """A process finds a score, or its search is pruned by one."""

    process: int
    score: int
    time: float  #: of the clock that all processes share


Events = SimpleQueue[Event]


@dataclass
class Noted:
    """An incumbent that notes the scores that its turn finds, and those that prune it."""

    incumbent: Incumbent
    note: Callable[[int], None]

    def best(self) -> int | None:
        best = self.incumbent.best()
        if best is not None:
            self.note(best)
        return best

    def offer(self, score: int) -> None:
        self.note(score)
        self.incumbent.offer(score)


def noting(note: Callable[[int], None]) -> SearchPart:
    def search(
        kind: Kind,
        text: str,
        options: Options,
        setup: str,
        levels: str,
        seconds: float,
        incumbent: Incumbent,
        slice_seconds: float = 0.25,
        known: Known | None = None,
    ) -> Generator[Turn | None, bool | None]:
        noted = Noted(incumbent, note)
        given = (kind, text, options, setup, levels, seconds, noted, slice_seconds, known)
        return search_part(*given)

    return search


def serve(settings: Settings, number: int, events: Events) -> None:
    """Search parts until the process is killed."""

    def note(score: int) -> None:
        events.put(Event(number, score, time.monotonic()))

    engine = open_database(settings.database_url)
    crew = Crew(engine, settings, Toy(0), Random(number))
    with closing(Carrier.connect(settings.redis_url, QUEUE)) as carrier:
        context = Context(
            engine, f"w{number}", settings, lambda: 2, carrier, search_part=noting(note)
        )
        while chunks := crew.open_chunks():
            attempt(context, *crew.chance.choice(chunks))


def hard() -> str:
    """The problem of placing 24 queens, with costs for which no process proves the best cover."""
    chance = Random(1)
    costs = [chance.randrange(1000) for _ in range(24 * 24)]
    return json.dumps(json.loads(queens(24)) | {"costs": costs})


@contextmanager
def two_processes(settings: Settings) -> Iterator[Events]:
    """Let two processes search until the end of the block, and yield what they note."""
    fork = multiprocessing.get_context("fork")
    events = fork.SimpleQueue()
    both = [fork.Process(target=serve, args=(settings, number, events)) for number in range(2)]
    try:
        for process in both:
            process.start()
        yield events
    finally:
        for process in both:
            process.kill()
            process.join()


def test_a_score_that_one_process_finds_prunes_the_other_within_a_second(
    warm: None, rounds_alone: None, settings: Settings, engine: Engine, redis_url: str
) -> None:
    settings = replace(settings, redis_url=redis_url, budget=0.1)
    Crew(engine, settings, Toy(0), Random(0)).submit([hard()], Options(target=True))
    engine.dispose()  # its connections must not be used in another process
    found: dict[int, Event] = {}  # the first event of each score
    delays: dict[int, float] = {}  # after how many seconds each score pruned the other process
    end = time.monotonic() + SEARCH_SECONDS
    with two_processes(settings) as events:
        while min(delays.values(), default=inf) > PRUNED_SECONDS and time.monotonic() < end:
            one = events.get()
            first = found.setdefault(one.score, one)
            if one.process != first.process:
                delays.setdefault(one.score, one.time - first.time)
    assert min(delays.values(), default=inf) <= PRUNED_SECONDS, delays

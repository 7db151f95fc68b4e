"""What one part of a search has found, as the turns of the others learn it."""

from dataclasses import asdict, replace
from random import Random

import pytest
from redis.exceptions import ConnectionError as Lost

from storage.database import read
from storage.outbox.leases import Lease
from storage.searches import candidates
from storage.searches.parts import PartLease
from storage.values import Kind, Puzzle
from tests.worker.attempt.crew import Crew, queens
from tests.worker.attempt.toy import Toy
from worker.attempt.context import Context, News
from worker.attempt.part import SharedIncumbent
from worker.options import Options
from worker.queue.dispatch import Outbox
from worker.settings import Settings


@pytest.fixture
def crew(outbox: Outbox, settings: Settings) -> Crew:
    """A crew that has begun a search and found no solution yet."""
    crew = Crew(outbox.engine, settings, Toy(nodes=10), Random(5), news=outbox.carrier)
    crew.submit([queens(6)], Options(target=True))
    crew.attempt()
    return crew


def news_of(crew: Crew) -> News:
    assert crew.news
    return crew.news


def stored(crew: Crew) -> int | None:
    with read(crew.engine) as connection:
        return candidates.worst_score(connection, 1, keep=1)


def shared(crew: Crew, best: int | None = None, context: Context | None = None) -> SharedIncumbent:
    """The incumbent of a turn that began when the best score was `best`."""
    lease = Lease(2, 1, 1, Kind.COVER, asdict(Options(target=True)))
    taken = PartLease(lease, Puzzle(1, 1, None, ""), "", "[]", 1.0, None, 0, 1, 0, best, 30.0)
    return SharedIncumbent(context or crew.context, taken)


def test_a_turn_learns_the_score_that_another_turn_has_stored(crew: Crew) -> None:
    slow = shared(crew)
    assert (slow.best(), stored(crew)) == (None, None)
    while stored(crew) is None:
        crew.attempt()
    assert slow.best() == stored(crew)


def test_a_score_that_is_announced_and_not_stored_prunes_nothing(crew: Crew) -> None:
    while stored(crew) is None:
        crew.attempt()
    turn = shared(crew)
    news_of(crew).announce(1, 10**9)  # its process died, or another program wrote it
    assert turn.best() == stored(crew)


def test_a_score_that_was_overwritten_by_a_lower_one_is_not_forgotten(crew: Crew) -> None:
    turn = shared(crew, best=5)
    news_of(crew).announce(1, 3)
    assert turn.best() == 5


def test_a_turn_announces_its_score_only_if_it_is_better(crew: Crew) -> None:
    while stored(crew) is None:
        crew.attempt()
    turn = shared(crew, best=stored(crew))
    news_of(crew).announce(1, -99)
    turn.offer(stored(crew) or 0)
    turn.announce()
    assert (turn.is_improved, news_of(crew).announced(1)) == (False, -99)
    turn.offer((stored(crew) or 0) + 1)
    turn.announce()
    assert (turn.is_improved, news_of(crew).announced(1)) == (True, stored(crew))


def test_without_redis_a_turn_keeps_the_score_that_it_began_with(
    crew: Crew, outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[None] = []

    def lost(*_: object, **__: object) -> None:
        calls.append(None)
        raise Lost("gone")

    monkeypatch.setattr(outbox.carrier.client, "get", lost)
    turn = shared(crew, best=5)
    assert [turn.best(), turn.best()] == [5, 5]
    assert len(calls) == 1  # each call could last as long as the timeout of the connection


@pytest.mark.parametrize("text", ["", "12,5", "9" * 30, "1e3", "٣"])
def test_what_is_no_score_is_no_news(outbox: Outbox, text: str) -> None:
    outbox.carrier.client.set("queue:best:1", text)
    assert outbox.carrier.announced(1) is None


def test_the_processes_of_a_pool_have_no_news(crew: Crew) -> None:
    while stored(crew) is None:
        crew.attempt()
    news_of(crew).announce(1, 10**9)
    turn = shared(crew, best=-99, context=replace(crew.context, news=None))
    assert turn.best() == -99
    turn.offer(5)
    turn.announce()
    assert news_of(crew).announced(1) == 10**9

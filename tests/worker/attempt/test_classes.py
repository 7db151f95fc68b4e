"""Classes and facts are stored with answers, or when searches are divided."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from bullseye import facts
from storage.database import read, write
from storage.outbox import recovery
from storage.queries.answers import select_answers
from storage.view import AnswerRow
from tests.worker.attempt.conftest import Delivery
from tests.worker.attempt.test_chunk import ENDLESS
from tests.worker.conftest import QUEUE, Post, submit
from tests.worker.symmetry.arrangements import least
from worker.attempt import solver
from worker.options import Options
from worker.queue.dispatch import Outbox, publish
from worker.solve import search

SMALL = "1...2......3...."


def finished(
    outbox: Outbox, post: Post, deliver: Callable[[int], bool], batch: int
) -> list[AnswerRow]:
    """Deliver all chunks and parts of a batch, and return its answers."""
    while publish(outbox):
        sent = post.sent
        post.carrier.client.delete(*post.carrier.lists)
        for chunk_id in sent:
            deliver(chunk_id)
    with read(outbox.engine) as connection:
        return list(select_answers(connection, batch=batch))


def test_answers_have_the_forms_of_their_puzzles(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    texts = [SMALL, "1234341221434321", "11.............."] * 5
    batch = submit(outbox.engine, "\n".join(texts), tmp_path, Options(classes=True))
    found = finished(outbox, post, deliver, batch.id)
    assert [(one.canonical, one.automorphisms) for one in found] == list(map(least, texts))
    assert [one.grid_class is not None for one in found] == [
        one.solutions == 1 and one.complete == 1 for one in found
    ]


def test_answers_have_the_facts_of_their_puzzles(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    texts = [SMALL, "1234341221434321", "11.............."] * 5
    batch = submit(outbox.engine, "\n".join(texts), tmp_path, Options(facts=True))
    found = finished(outbox, post, deliver, batch.id)
    assert [(one.minimal, one.placed, one.depth) for one in found] == [
        (one.minimal, one.placed, one.depth) for one in facts(texts)
    ]
    assert {one.class_ for one in found} == {None}


def test_classes_are_found_some_at_a_time(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    number = 2 * solver.FACTS_AT_A_TIME + 1
    batch = submit(outbox.engine, [SMALL + "\n"] * number, tmp_path, Options(classes=True))
    found = finished(outbox, post, deliver, batch.id)
    assert len(found) == number
    assert {one.canonical for one in found} == {least(SMALL)[0]}


def test_a_divided_search_has_the_form_of_its_puzzle(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    deliver.settings = replace(deliver.settings, budget=1e-6)
    options = Options(limit=20_000, classes=True, facts=True)
    batch = submit(outbox.engine, "." * 35 + "1", tmp_path, options)
    impatient = partial(search, slice_seconds=1e-6)
    (answer,) = finished(outbox, post, partial(deliver, search=impatient), batch.id)
    with read(outbox.engine) as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM part").scalar_one() > 0
    assert (answer.status, answer.solutions) == ("solved", 20_000)
    assert (answer.canonical, answer.grid_class) == ("." * 35 + "1", None)
    assert (answer.minimal, answer.placed, answer.candidates) == (1, 1, 35 * 6 - 12)


def test_a_retry_stores_the_form_again(
    outbox: Outbox, post: Post, tmp_path: Path, deliver: Delivery
) -> None:
    options = Options(limit=None, keep=2, timeout=1e-6, classes=True, facts=True)
    batch = submit(outbox.engine, ENDLESS, tmp_path, options)
    (before,) = finished(outbox, post, deliver, batch.id)
    assert before.status == "timeout"
    with write(outbox.engine) as connection:
        recovery.retry(connection, batch.id, queue=QUEUE)
    (after,) = finished(outbox, post, deliver, batch.id)
    assert (after.class_, after.canonical) == (before.class_, before.canonical) != (None, None)

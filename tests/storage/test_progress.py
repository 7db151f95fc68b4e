"""How far a batch is, and who does it."""

import time

import pytest
from sqlalchemy import update

from storage.clock import utc
from storage.database import read, write
from storage.errors import NoSuchBatch
from storage.queries.progress import Progress, count_outcomes, read_progress
from storage.tables import batch as batch_table
from storage.tables import chunk
from storage.values import ChunkState, Status
from tests.storage.shop import Shop, answer_to, answers_to, puzzles_of

NEW, SENT, TAKEN, DONE = ChunkState


def told(shop: Shop, batch_id: int, *, tally: bool = False) -> Progress:
    with read(shop.engine) as connection:
        return read_progress(connection, batch_id, tally=tally)


def test_a_new_batch_has_everything_before_it(shop: Shop) -> None:
    batch = shop.submit(2, 3)
    found = told(shop, batch.id, tally=True)
    assert found == Progress(batch, 0, {}, {NEW: 2, SENT: 0, TAKEN: 0, DONE: 0}, [], None)


def test_parts_count_as_well_as_whole_chunks(shop: Shop) -> None:
    batch = shop.submit(2, 3, 1, 1)
    whole, part, _ = shop.publish(most=3)
    assert shop.finish(shop.taken(whole.id), answers_to(whole))
    assert shop.finish(shop.taken(part.id), answers_to(part)[:2], done=False)
    found = told(shop, batch.id)
    assert found.answered == 4
    assert found.chunks == {NEW: 1, SENT: 1, TAKEN: 1, DONE: 1}


def test_lines_that_are_no_puzzles_are_answered_from_the_start(shop: Shop) -> None:
    batch = shop.submit(2)
    with write(shop.engine) as connection:  # as if a third line had been refused
        connection.execute(update(batch_table).values(puzzles=3))
    assert told(shop, batch.id).answered == 1


def test_a_batch_that_is_not_ready_has_no_answers_yet(shop: Shop) -> None:
    batch = shop.submit(2, ready=False)
    with write(shop.engine) as connection:  # as if more of its chunks were still to come
        connection.execute(update(batch_table).values(puzzles=5))
    assert told(shop, batch.id).answered == 0


def test_answers_are_counted_by_status_if_asked_for(shop: Shop) -> None:
    batch = shop.submit(3)
    (sent,) = shop.publish()
    one, two, three = puzzles_of(sent)
    none = answer_to(two, status=Status.NONE)
    assert shop.finish(shop.taken(sent.id), [answer_to(one), none, answer_to(three)])
    assert told(shop, batch.id).by_status == {}
    assert told(shop, batch.id, tally=True).by_status == {"solved": 2, "none": 1}


def test_each_worker_has_his_share(shop: Shop) -> None:
    batch = shop.submit(1, 2, 4, 8)
    for name, sent in zip(["bob", "ada", "bob", "eve"], shop.publish(), strict=True):
        taken = shop.taken(sent.id, name)
        if name != "eve":
            assert shop.finish(taken, answers_to(sent), worker=name)
    shares = told(shop, batch.id).workers
    assert [(share.worker, share.puzzles) for share in shares] == [
        ("ada", 2),
        ("bob", 5),
        ("eve", 0),
    ]
    assert all(share.last_seen >= batch.created_at for share in shares)


def test_a_worker_is_seen_when_he_renews(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.back_date(30, sent.id)
    (before,) = told(shop, batch.id).workers
    assert shop.renew(taken)
    (after,) = told(shop, batch.id).workers
    assert after.last_seen > before.last_seen


def test_it_is_known_how_long_a_batch_took(shop: Shop) -> None:
    batch = shop.submit(1, 1)
    with write(shop.engine) as connection:
        connection.execute(update(batch_table).values(created_at=utc(90)))
    first, second = shop.publish()
    assert shop.finish(shop.taken(first.id), answers_to(first))
    with write(shop.engine) as connection:
        connection.execute(update(chunk).where(chunk.c.id == first.id).values(done_at=utc(50)))
    assert told(shop, batch.id).seconds == pytest.approx(40, abs=2)
    assert shop.finish(shop.taken(second.id), answers_to(second))
    assert told(shop, batch.id).seconds == pytest.approx(90, abs=2)


def test_a_batch_that_does_not_exist_has_no_progress(shop: Shop) -> None:
    with pytest.raises(NoSuchBatch):
        told(shop, 7)


def test_progress_of_a_million_puzzles_is_told_at_once(on_sqlite: Shop) -> None:
    batch = on_sqlite.submit(*[1] * 500)
    with write(on_sqlite.engine) as connection:
        connection.execute(update(batch_table).values(puzzles=10**6))
        connection.execute(update(chunk).values(count=2000, answered=2000, state=DONE, puzzles=""))
    with read(on_sqlite.engine) as connection:
        times = []
        for _ in range(20):
            began = time.perf_counter()
            assert read_progress(connection, batch.id).answered == 10**6
            times.append(time.perf_counter() - began)
    assert min(times) < 0.005  # a millisecond where nobody else works


def test_answers_are_counted_by_what_a_summary_tells(shop: Shop) -> None:
    batch = shop.submit(8)
    other = shop.submit(1)
    for sent in shop.publish(most=2):
        several = [
            {"solutions": 1},
            {"solutions": 1},
            {"solutions": 2},
            {"solutions": 9},
            {"solutions": 1, "complete": False},
            {"status": Status.NONE, "solutions": 0},
            {"solutions": 1, "score": -5},
            {"solutions": 1, "score": -9},
        ]
        puzzles = zip(puzzles_of(sent), several, strict=False)
        found = [answer_to(puzzle, **given) for puzzle, given in puzzles]  # type: ignore[arg-type]
        assert shop.finish(shop.taken(sent.id), found)
    with read(shop.engine) as connection:
        assert sorted(count_outcomes(connection, batch.id), key=str) == [
            ("none", 1, 0, None, 1),
            ("solved", 0, 1, None, 1),
            ("solved", 1, 1, -5, 2),
            ("solved", 1, 1, None, 2),
            ("solved", 1, 2, None, 2),
        ]
        assert count_outcomes(connection, other.id) == [("solved", 1, 1, None, 1)]

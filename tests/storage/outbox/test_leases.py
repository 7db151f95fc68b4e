import pytest
from sqlalchemy import select

from storage.database import read, write
from storage.outbox import leases, publishing
from storage.packing import digest
from storage.tables import chunk
from storage.values import ChunkState, Puzzle
from tests.storage.shop import Shop, answers_to, puzzles_of

NEW, SENT, TAKEN, DONE = ChunkState


def test_a_chunk_goes_from_new_to_sent_to_taken_to_done(shop: Shop) -> None:
    batch = shop.submit(3)
    assert shop.states(batch) == {NEW: 1}
    (sent,) = shop.publish()
    assert shop.states(batch) == {SENT: 1}
    taken = shop.taken(sent.id)
    assert shop.states(batch) == {TAKEN: 1}
    assert shop.finish(taken, answers_to(sent))
    assert shop.states(batch) == {DONE: 1}
    assert shop.answered() == [puzzle.id for puzzle in puzzles_of(sent)]


def test_the_puzzles_of_a_completed_chunk_are_removed_from_its_row(shop: Shop) -> None:
    batch = shop.submit(3)
    shop.solve(batch)
    with read(shop.engine) as connection:
        assert connection.execute(select(chunk.c.puzzles)).scalar_one() == ""


def test_a_lease_contains_the_batchs_options(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    assert shop.taken(sent.id).options == {"limit": 2, "timeout": 30.0}


def test_a_chunk_can_be_taken_by_a_message_believed_to_be_lost(shop: Shop) -> None:
    # The message was written, but the writer took it for lost.
    shop.submit(1)
    (sent,) = shop.publish()
    with shop.engine.begin() as connection:
        publishing.mark_unsent(connection, [sent.id])
    assert shop.state(sent.id) == NEW
    assert shop.taken(sent.id).attempt == 1


def test_a_chunk_is_not_taken_with_the_puzzles_of_another(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    with write(shop.engine) as connection:
        own, foreign = digest(sent.puzzles), digest(sent.puzzles + " ")
        assert leases.has_others(connection, sent.id, foreign)
        assert not leases.has_others(connection, sent.id, own)
        assert leases.take(connection, sent.id, "ada", 60.0, digest=foreign) is None
        assert leases.take(connection, sent.id, "ada", 60.0, digest=own)
        assert not leases.has_others(connection, sent.id, foreign)  # it was taken


def test_a_chunk_with_a_live_lease_is_not_taken(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    shop.taken(sent.id)
    assert shop.take(sent.id, "bob") is None


def test_a_chunk_that_is_done_is_not_taken(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    assert shop.finish(shop.taken(sent.id), answers_to(sent))
    assert shop.take(sent.id) is None


def test_a_chunk_that_does_not_exist_is_not_taken(shop: Shop) -> None:
    assert shop.take(77) is None


def test_a_chunk_of_a_batch_that_is_not_ready_is_neither_claimed_nor_taken(shop: Shop) -> None:
    shop.submit(1, ready=False)
    assert shop.publish() == []
    with read(shop.engine) as connection:
        number = connection.execute(select(chunk.c.id)).scalar_one()
    assert shop.take(number) is None


def test_an_expired_lease_is_taken_over_with_a_higher_attempt(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    first = shop.taken(sent.id, "ada")
    shop.back_date(61, sent.id)
    second = shop.taken(sent.id, "bob")
    assert (first.attempt, second.attempt) == (1, 2)


def test_a_renewed_lease_is_not_taken_over(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.back_date(61, sent.id)
    assert shop.renew(taken)
    assert shop.take(sent.id, "bob") is None


def test_a_worker_that_lost_its_lease_can_neither_renew_nor_store_some_answers(shop: Shop) -> None:
    shop.submit(2)
    (sent,) = shop.publish()
    first = shop.taken(sent.id, "ada")
    shop.back_date(61, sent.id)
    second = shop.taken(sent.id, "bob")
    assert not shop.renew(first)
    assert not shop.note(first, puzzles_of(sent)[0])
    assert not shop.finish(first, answers_to(sent)[:1], done=False)
    assert shop.answered() == []
    assert shop.renew(second)


def test_a_released_chunk_is_new_and_the_attempt_is_not_counted(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    shop.give_back(shop.taken(sent.id))
    assert shop.states(batch) == {NEW: 1}
    (again,) = shop.publish()
    assert again == sent
    assert shop.taken(again.id).attempt == 1


def test_a_worker_that_lost_its_lease_cannot_release_it(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    first = shop.taken(sent.id, "ada")
    shop.back_date(61, sent.id)
    shop.taken(sent.id, "bob")
    shop.give_back(first)
    assert shop.state(sent.id) == TAKEN


def test_a_chunk_marked_as_unsent_is_new_again(shop: Shop) -> None:
    batch = shop.submit(1, 1)
    one, other = shop.publish()
    with shop.engine.begin() as connection:
        publishing.mark_unsent(connection, [other.id])
    assert shop.states(batch) == {NEW: 1, SENT: 1}
    assert shop.publish() == [other]
    assert shop.state(one.id) == SENT


@pytest.mark.parametrize("done", [True, False])
def test_a_taken_or_completed_chunk_cannot_be_marked_as_unsent(shop: Shop, *, done: bool) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    if done:
        shop.finish(taken, answers_to(sent))
    with shop.engine.begin() as connection:
        publishing.mark_unsent(connection, [sent.id])
    assert shop.state(sent.id) == (DONE if done else TAKEN)


# --- a puzzle that kills its worker ---


def die(shop: Shop, chunk_id: int, puzzle: Puzzle | None = None) -> int | None:
    """Take the chunk, begin the puzzle, and never be heard of again; the poison one was told."""
    taken = shop.taken(chunk_id)
    if puzzle:
        assert shop.note(taken, puzzle)
    shop.back_date(61, chunk_id)
    return taken.poison


def test_a_puzzle_begun_at_two_consecutive_deaths_is_poison(shop: Shop) -> None:
    shop.submit(3)
    (sent,) = shop.publish()
    _, deadly, _ = puzzles_of(sent)
    assert die(shop, sent.id) is None
    assert die(shop, sent.id, deadly) is None
    assert die(shop, sent.id, deadly) is None
    assert shop.taken(sent.id).poison == deadly.id


def test_puzzles_begun_at_one_death_each_are_not_poison(shop: Shop) -> None:
    shop.submit(3)
    (sent,) = shop.publish()
    one, other, _ = puzzles_of(sent)
    assert die(shop, sent.id) is None
    assert die(shop, sent.id, one) is None
    assert die(shop, sent.id, other) is None
    assert die(shop, sent.id, one) is None
    assert shop.taken(sent.id).poison is None


def test_a_chunk_can_contain_two_poison_puzzles(shop: Shop) -> None:
    shop.submit(3)
    (sent,) = shop.publish()
    one, other, _ = puzzles_of(sent)
    found = [die(shop, sent.id, puzzle) for puzzle in (None, one, one, other, other, None)]
    assert found == [None, None, None, one.id, None, other.id]


def test_a_poison_puzzle_that_was_not_stored_is_found_again(shop: Shop) -> None:
    shop.submit(2)
    (sent,) = shop.publish()
    deadly, _ = puzzles_of(sent)
    deaths = [die(shop, sent.id, puzzle) for puzzle in (None, deadly, deadly)]
    told = die(shop, sent.id)  # and he dies before he can store it
    again = die(shop, sent.id, deadly)
    assert (*deaths, told, again) == (None, None, None, deadly.id, None)
    assert shop.taken(sent.id).poison == deadly.id


def test_a_puzzle_begun_before_a_release_is_not_suspected(shop: Shop) -> None:
    shop.submit(2)
    (sent,) = shop.publish()
    puzzle, _ = puzzles_of(sent)
    assert die(shop, sent.id) is None
    assert die(shop, sent.id, puzzle) is None
    taken = shop.taken(sent.id)
    assert shop.note(taken, puzzle)
    shop.give_back(taken)
    shop.publish()
    assert shop.taken(sent.id).poison is None

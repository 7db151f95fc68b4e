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


def test_a_chunk_that_is_done_needs_its_puzzles_no_more(shop: Shop) -> None:
    batch = shop.submit(3)
    shop.solve(batch)
    with read(shop.engine) as connection:
        assert connection.execute(select(chunk.c.puzzles)).scalar_one() == ""


def test_a_taken_chunk_knows_its_batchs_options(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    assert shop.taken(sent.id).options == {"limit": 2, "timeout": 30.0}


def test_a_chunk_may_be_taken_before_it_is_known_to_be_sent(shop: Shop) -> None:
    # The message was written, but the writer took it for lost.
    shop.submit(1)
    (sent,) = shop.publish()
    with shop.engine.begin() as connection:
        publishing.mark_unsent(connection, [sent.id])
    assert shop.state(sent.id) == NEW
    assert shop.taken(sent.id).attempt == 1


def test_a_chunk_is_not_taken_with_puzzles_that_are_not_its_own(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    with write(shop.engine) as connection:
        own, foreign = digest(sent.puzzles), digest(sent.puzzles + " ")
        assert leases.has_others(connection, sent.id, foreign)
        assert not leases.has_others(connection, sent.id, own)
        assert leases.take(connection, sent.id, "ada", 60.0, digest=foreign) is None
        assert leases.take(connection, sent.id, "ada", 60.0, digest=own)
        assert not leases.has_others(connection, sent.id, foreign)  # it was taken


def test_a_chunk_under_a_live_renewal_is_not_taken_again(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    shop.taken(sent.id)
    assert shop.take(sent.id, "bob") is None


def test_a_chunk_that_is_done_is_not_taken_again(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    assert shop.finish(shop.taken(sent.id), answers_to(sent))
    assert shop.take(sent.id) is None


def test_a_chunk_that_does_not_exist_is_not_taken(shop: Shop) -> None:
    assert shop.take(77) is None


def test_a_chunk_of_a_batch_that_is_not_ready_is_neither_published_nor_taken(shop: Shop) -> None:
    shop.submit(1, ready=False)
    assert shop.publish() == []
    with read(shop.engine) as connection:
        number = connection.execute(select(chunk.c.id)).scalar_one()
    assert shop.take(number) is None


def test_a_chunk_whose_worker_fell_silent_is_taken_over(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    first = shop.taken(sent.id, "ada")
    shop.back_date(61, sent.id)
    second = shop.taken(sent.id, "bob")
    assert (first.attempt, second.attempt) == (1, 2)


def test_a_renewal_keeps_a_chunk(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    taken = shop.taken(sent.id)
    shop.back_date(61, sent.id)
    assert shop.renew(taken)
    assert shop.take(sent.id, "bob") is None


def test_who_was_overtaken_cannot_renew_note_or_commit_a_part(shop: Shop) -> None:
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


def test_a_chunk_given_back_is_new_and_the_attempt_does_not_count(shop: Shop) -> None:
    batch = shop.submit(1)
    (sent,) = shop.publish()
    shop.give_back(shop.taken(sent.id))
    assert shop.states(batch) == {NEW: 1}
    (again,) = shop.publish()
    assert again == sent
    assert shop.taken(again.id).attempt == 1


def test_who_was_overtaken_gives_nothing_back(shop: Shop) -> None:
    shop.submit(1)
    (sent,) = shop.publish()
    first = shop.taken(sent.id, "ada")
    shop.back_date(61, sent.id)
    shop.taken(sent.id, "bob")
    shop.give_back(first)
    assert shop.state(sent.id) == TAKEN


def test_a_message_that_could_not_be_sent_leaves_its_chunk_new(shop: Shop) -> None:
    batch = shop.submit(1, 1)
    one, other = shop.publish()
    with shop.engine.begin() as connection:
        publishing.mark_unsent(connection, [other.id])
    assert shop.states(batch) == {NEW: 1, SENT: 1}
    assert shop.publish() == [other]
    assert shop.state(one.id) == SENT


@pytest.mark.parametrize("done", [True, False])
def test_nothing_is_unsent_that_somebody_works_on(shop: Shop, *, done: bool) -> None:
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


def test_the_puzzle_begun_at_two_deaths_in_turn_is_poison(shop: Shop) -> None:
    shop.submit(3)
    (sent,) = shop.publish()
    _, deadly, _ = puzzles_of(sent)
    assert die(shop, sent.id) is None
    assert die(shop, sent.id, deadly) is None
    assert die(shop, sent.id, deadly) is None
    assert shop.taken(sent.id).poison == deadly.id


def test_two_puzzles_begun_at_one_death_each_are_no_poison(shop: Shop) -> None:
    shop.submit(3)
    (sent,) = shop.publish()
    one, other, _ = puzzles_of(sent)
    assert die(shop, sent.id) is None
    assert die(shop, sent.id, one) is None
    assert die(shop, sent.id, other) is None
    assert die(shop, sent.id, one) is None
    assert shop.taken(sent.id).poison is None


def test_a_second_poison_in_a_chunk_is_found_as_well(shop: Shop) -> None:
    shop.submit(3)
    (sent,) = shop.publish()
    one, other, _ = puzzles_of(sent)
    found = [die(shop, sent.id, puzzle) for puzzle in (None, one, one, other, other, None)]
    assert found == [None, None, None, one.id, None, other.id]


def test_a_poison_that_was_not_stored_is_known_at_the_next_death(shop: Shop) -> None:
    shop.submit(2)
    (sent,) = shop.publish()
    deadly, _ = puzzles_of(sent)
    deaths = [die(shop, sent.id, puzzle) for puzzle in (None, deadly, deadly)]
    told = die(shop, sent.id)  # and he dies before he can store it
    again = die(shop, sent.id, deadly)
    assert (*deaths, told, again) == (None, None, None, deadly.id, None)
    assert shop.taken(sent.id).poison == deadly.id


def test_a_puzzle_begun_before_a_clean_end_is_not_suspected(shop: Shop) -> None:
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

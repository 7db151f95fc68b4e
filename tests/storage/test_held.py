"""Which chunks are with a worker."""

from storage.database import read
from storage.queries.progress import ActiveLease, active_leases
from tests.storage.shop import Shop, answers_to


def test_what_is_taken_is_in_hand_and_nothing_else(shop: Shop) -> None:
    batch = shop.submit(2, 3, 1, 1)
    other = shop.submit(1)
    whole, part, *_ = shop.publish(most=4)
    (foreign,) = shop.publish()
    assert foreign.batch_id == other.id
    shop.taken(foreign.id, "eve")
    assert shop.finish(shop.taken(whole.id, "ada"), answers_to(whole))
    shop.taken(part.id, "bob")
    with read(shop.engine) as connection:
        (found,) = active_leases(connection, batch.id)
    assert found == ActiveLease("bob", part.id, 1, found.silent)
    assert 0 <= found.silent < 5

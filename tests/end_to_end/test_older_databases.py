"""Databases of earlier releases are migrated and their batches solved."""

import json

import pytest

from tests import schemas
from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.load import QUICK, Load

#: batches of each stored database: one that is waiting, one cancelled, one complete
WAITING, CANCELLED, COMPLETE = "5", "6", "2"


# Each revision is upgraded in `tests/storage`; here the first, the last and one between.
@pytest.mark.parametrize("revision", schemas.REVISIONS)
def test_a_batch_of_an_earlier_release_is_completed(bullseye: Bullseye, revision: str) -> None:
    bullseye.settings |= QUICK
    bullseye.database.unlink()
    schemas.load(bullseye.database, revision)
    with bullseye.worker(2):
        eventually(lambda: bullseye.live_workers() == 1)  # it has migrated the database
        eventually(lambda: Load(bullseye, WAITING, []).answered() == 20)
        bullseye.out("retry", CANCELLED)
        eventually(lambda: Load(bullseye, CANCELLED, []).answered() == 5)
    kept = bullseye.out("results", COMPLETE).splitlines()
    assert all(f"best {json.loads(line)['score']} of" in line for line in kept)
    assert len(kept) == 10

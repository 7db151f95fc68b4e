"""What was submitted to an earlier release is answered by this one."""

import json

import pytest

from tests import schemas
from tests.end_to_end.bullseye import Bullseye, eventually
from tests.end_to_end.faults import QUICK

#: what all stored files have: a batch that waits, one that was cancelled, one that is complete
WAITING, CANCELLED, COMPLETE = "5", "6", "2"


@pytest.mark.parametrize("revision", schemas.REVISIONS)
def test_a_batch_of_an_earlier_release_is_completed(bullseye: Bullseye, revision: str) -> None:
    bullseye.settings |= QUICK
    schemas.load(bullseye.database, revision)
    with bullseye.worker(2):
        eventually(lambda: told(bullseye, WAITING)["answered"] == 20)
        bullseye.out("retry", CANCELLED)
        eventually(lambda: told(bullseye, CANCELLED)["answered"] == 5)
    kept = bullseye.out("results", COMPLETE).splitlines()
    assert all(f"best {json.loads(line)['score']} of" in line for line in kept)
    assert len(kept) == 10


def told(bullseye: Bullseye, batch: str) -> dict[str, object]:
    """What `status` says of a batch."""
    said: dict[str, object] = json.loads(bullseye.out("status", "--json", batch))
    return said

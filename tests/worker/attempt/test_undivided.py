"""Searches that last and cannot be divided obey time limits and cancellation."""

import json
from collections.abc import Generator, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path

import pytest

from storage import batches
from storage.database import read, write
from storage.values import ChunkState, Kind
from tests.worker.attempt.conftest import Delivery, state_of, statuses
from tests.worker.conftest import Post, submit
from tests.worker.set_cover.oracle import grid
from worker.attempt.context import CANCEL_POLL_SECONDS
from worker.options import Options
from worker.outcome import Outcomes
from worker.queue.dispatch import Outbox, publish
from worker.settings import Settings
from worker.solve import search

pytestmark = pytest.mark.usefixtures("warm_set_cover", "warm_multiplicity")

#: no time limit of a test is enough to prove that no 140 cells dominate this grid
DOMINATION = {"items": 625, "options": grid(25, 25), "set_cover": True}
#: nor to count the covers of the grid by stars, each cell once to three times
STARS = {"items": 625, "options": grid(25, 25), "multiplicities": [[1, 3]] * 625}

undivided = pytest.mark.parametrize(
    ("problem", "options"),
    [(DOMINATION, Options(at_most=140, set_cover=True)), (STARS, Options(limit=None))],
    ids=["set cover", "multiplicities"],
)


@undivided
def test_a_search_that_lasts_is_not_divided_and_ends_at_its_time_limit(
    problem: dict[str, object],
    options: Options,
    outbox: Outbox,
    post: Post,
    tmp_path: Path,
    settings: Settings,
) -> None:
    options = replace(options, timeout=0.3)
    batch = submit(outbox.engine, json.dumps(problem), tmp_path, options)
    publish(outbox)
    assert Delivery(outbox, replace(settings, budget=0.01))(post.sent[0])
    assert statuses(outbox.engine, batch.id) == ["timeout"]
    assert state_of(outbox.engine, post.sent[0]) == ChunkState.DONE
    with read(outbox.engine) as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM search").scalar_one() == 0


@undivided
def test_cancelling_ends_a_search_between_two_slices(
    problem: dict[str, object],
    options: Options,
    outbox: Outbox,
    post: Post,
    tmp_path: Path,
    deliver: Delivery,
) -> None:
    batch = submit(outbox.engine, json.dumps(problem), tmp_path, replace(options, timeout=60.0))
    publish(outbox)
    slices = []

    def cancelled_after_a_slice(
        kind: Kind, texts: Sequence[str], options: Options, *, budget: float = inf
    ) -> Generator[Outcomes]:
        for outcomes in search(kind, texts, options, budget=budget):
            slices.append(len(outcomes.ns))
            if len(slices) == 1:
                with write(outbox.engine) as connection:
                    batches.cancel(connection, batch.id)
                deliver.now += CANCEL_POLL_SECONDS + 1
            yield outcomes

    assert deliver(post.sent[0], cancelled_after_a_slice)
    assert slices == [0]
    assert statuses(outbox.engine, batch.id) == []

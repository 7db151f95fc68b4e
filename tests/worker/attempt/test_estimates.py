"""The estimate that is made when a search is divided: stored with it, and not needed by it."""

import logging
from dataclasses import replace
from functools import partial
from random import Random

import pytest
from sqlalchemy import Engine

from storage.batches import Batch
from storage.database import read
from storage.queries.searches import open_searches
from tests.worker.attempt.crew import Crew, queens
from tests.worker.attempt.toy import Toy
from tests.worker.solving import one
from worker.attempt.chunk import attempt
from worker.estimate.ranges import Range
from worker.options import Options
from worker.settings import Settings
from worker.solve import search, search_part

ALL = Options(limit=None)


@pytest.fixture
def crew(engine: Engine, settings: Settings) -> Crew:
    return Crew(engine, settings, Toy(nodes=3), Random(5))


def stored_estimate(crew: Crew, batch: Batch) -> str | None:
    with read(crew.engine) as connection:
        (found,) = open_searches(connection, batch.id)
        return found.estimate


def test_the_estimate_is_stored_with_the_search(crew: Crew) -> None:
    batch = crew.submit([queens(11)], ALL)
    settings, kernel = replace(crew.settings, budget=1e-6), partial(search, slice_seconds=1e-6)
    context = replace(crew.context, settings=settings, search=kernel, search_part=search_part)
    assert attempt(context, *crew.open_chunks()[0])
    stored = stored_estimate(crew, batch)
    assert stored is not None
    low, likely, high = Range.decode(stored)
    assert low < likely < high
    assert low < one(queens(11), ALL).nodes < high


def test_a_search_for_the_best_score_has_no_estimate(
    crew: Crew, caplog: pytest.LogCaptureFixture
) -> None:
    batch = crew.submit([queens(6)], Options(target=True))
    crew.attempt()
    assert stored_estimate(crew, batch) is None
    assert not [record for record in caplog.records if record.levelno == logging.ERROR]


def test_a_search_goes_on_if_its_estimate_fails(
    crew: Crew, caplog: pytest.LogCaptureFixture
) -> None:
    batch = crew.submit([queens(6)], ALL)
    crew.attempt()  # the toy leaves a setup that an estimate cannot read
    assert stored_estimate(crew, batch) is None
    (failure,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert failure.getMessage() == f"puzzle {batch.first_id} cannot be estimated"
    assert failure.exc_info
    answer, _ = crew.finish(batch)
    assert (answer.solutions, answer.complete) == (4, 1)

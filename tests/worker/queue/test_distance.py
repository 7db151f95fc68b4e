"""How many processes a worker starts where nobody says so."""

from contextlib import closing

import pytest
from sqlalchemy import Engine
from sqlalchemy.engine import make_url

from tests import services
from tests.benchmarks.pipeline.latency import Latency
from worker.local.process_group import process_group
from worker.queue.distance import processes_for, round_trip


@pytest.mark.parametrize(
    ("milliseconds", "per_core"),
    [(0.05, 1), (1, 1), (4.9, 1), (5.1, 2), (10, 2), (20, 3), (30, 4), (300, 4)],
)
def test_each_core_gets_more_processes_the_farther_the_servers_are(
    milliseconds: float, per_core: int
) -> None:
    assert processes_for(1, milliseconds / 1e3) == per_core
    assert processes_for(6, milliseconds / 1e3) == 6 * per_core


def test_the_distance_is_that_of_redis_and_of_the_database_on_average(engine: Engine) -> None:
    with (
        process_group() as home,
        services.redis_server(services.redis_program(), home, "127.0.0.1") as url,
        closing(Latency(make_url(url).port or 0, 0.06)) as far,
    ):
        assert round_trip(url, engine) < 0.02
        there = make_url(url).set(port=far.port).render_as_string(hide_password=False)
        assert 0.03 <= round_trip(there, engine) < 0.06

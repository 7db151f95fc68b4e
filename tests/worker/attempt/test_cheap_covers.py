"""Divided searches for set covers, and for covers with multiplicities; on SQLite."""

from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest
from sqlalchemy import Engine

from tests.worker.attempt.crew import Crew
from tests.worker.attempt.toy import Toy
from tests.worker.solving import one
from worker.covers.text import Cover, encode
from worker.options import Options
from worker.settings import Settings
from worker.solve import following_round, search, search_part

pytestmark = pytest.mark.usefixtures("warm_set_cover")


def problem(items: int, options: int, **more: Any) -> str:
    """A problem with random options, whose search lasts some hundredths of a second."""
    chance = Random(5)
    some = [sorted(chance.sample(range(1, items + 1), 6)) for _ in range(options)]
    costs = [chance.randint(10, 30) for _ in some]
    return encode(Cover(items, 0, some, costs, **more))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (problem(70, 210, set_cover=True), Options(timeout=60.0)),
        (problem(70, 210), Options(set_cover=True, timeout=60.0)),
        (problem(60, 200, multiplicities=[(1, 2)] * 60), Options(target=True, timeout=60.0)),
        (
            problem(60, 200, multiplicities=[(1, 2)] * 60),
            Options(target=True, keep=3, timeout=60.0),
        ),
    ],
    ids=["a text that is marked", "an option", "multiplicities", "several covers"],
)
def test_a_divided_search_proves_what_one_search_does(
    text: str, options: Options, engine: Engine, settings: Settings
) -> None:
    solver: Any = SimpleNamespace(search=search, search_part=search_part)
    short = replace(settings, budget=0.01, turn=0.01)
    crew = Crew(engine, short, cast(Toy, solver), Random(3), following=following_round)
    answer, further = crew.finish(crew.submit([text], options))
    expected = one(text, options)
    assert crew.parts()[0] > 0
    assert (answer.status, answer.complete, answer.bound) == ("solved", 1, expected.bound)
    scores = [kept.score for kept in expected.kept]
    assert [answer.score, *(kept.score for kept in further)] == scores

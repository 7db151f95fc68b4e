"""An estimate ends in time, however large the problem is."""

import json
import random
import time

import pytest

from storage.values import Kind
from worker.estimate.estimate import estimate, estimate_rest, warm_up
from worker.exact_cover.scores import Setup
from worker.options import Options


@pytest.mark.attack
def test_a_sample_of_a_problem_of_many_options_is_ended_when_the_time_is_over() -> None:
    chance = random.Random(1)
    options = [sorted(chance.sample(range(1, 61), 3)) for _ in range(100_000)]
    text = json.dumps({"items": 60, "options": options})
    warm_up(Kind.COVER)
    asked = Options(limit=None)
    began = time.thread_time()
    estimate_rest(Kind.COVER, text, asked, Setup(1).encode(), seconds=1e-9)
    without_samples = time.thread_time() - began
    began = time.thread_time()
    estimate_rest(Kind.COVER, text, asked, Setup(1).encode(), seconds=0.1)
    assert time.thread_time() - began < 2 * without_samples + 0.5
    assert estimate(Kind.COVER, text, asked, seconds=0.5).nodes.high > 0
